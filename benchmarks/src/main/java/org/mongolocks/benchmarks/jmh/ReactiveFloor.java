package org.mongolocks.benchmarks.jmh;

import com.mongodb.reactivestreams.client.MongoCollection;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.mongolocks.benchmarks.measure.Floor;
import reactor.core.publisher.Mono;

/** Is the {@link Floor} with the reactive-streams driver. The calling thread waits for the second reply. */
final class ReactiveFloor implements Runnable {
    private final MongoCollection<Document> collection;
    private final Bson document = Floor.newDocument();

    ReactiveFloor(MongoCollection<Document> collection) {
        this.collection = collection.withWriteConcern(Floor.DURABLE);
    }

    @Override
    public void run() {
        send(Floor.take()).then(Mono.defer(() -> send(Floor.giveBack()))).block();
    }

    private Mono<Document> send(Bson change) {
        return Mono.from(collection.findOneAndUpdate(document, change, Floor.options()));
    }
}
