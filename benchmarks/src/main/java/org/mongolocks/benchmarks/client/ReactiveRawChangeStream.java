package org.mongolocks.benchmarks.client;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.reactivestreams.client.ChangeStreamPublisher;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.conversions.Bson;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * A raw change stream of the reactive-streams driver. A change after an event is sent by the thread that received the
 * event.
 */
final class ReactiveRawChangeStream implements RawChangeStream {
    private static final Document HELLO = new Document("isMaster", 1);

    private final MongoCollection<Document> collection;
    private final EventLatch bells = new EventLatch();
    private final Disposable listening;

    ReactiveRawChangeStream(
            MongoDatabase database, MongoCollection<Document> collection, List<? extends Bson> pipeline) {
        this.collection = collection;
        ChangeStreamPublisher<Document> stream =
                collection.watch(pipeline).maxAwaitTime(RawCommandDocument.AWAIT_MILLIS, TimeUnit.MILLISECONDS);
        this.listening = Mono.from(database.runCommand(HELLO, BsonDocument.class))
                .map(hello -> hello.get("operationTime") instanceof BsonTimestamp now
                        ? stream.startAtOperationTime(now)
                        : stream)
                .blockOptional()
                .map(from -> Flux.from(from.withDocumentClass(BsonDocument.class)))
                .orElseGet(Flux::never)
                .subscribe(event -> bells.ring(RawCommandDocument.idIn(event)), bells::fail);
    }

    @Override
    public void insert(String id) {
        Mono.from(collection.insertOne(new Document("_id", id))).block();
    }

    @Override
    public Document change(String id, Bson change) {
        return RawCommandDocument.changed(send(id, change).block());
    }

    @Override
    public void await(String id, long times) {
        Mono.fromFuture(bells.rung(id, times)).block();
    }

    @Override
    public Document changeAfter(long times, String id, Bson change) {
        return RawCommandDocument.changed(Mono.fromFuture(bells.rung(id, times))
                .then(Mono.defer(() -> send(id, change)))
                .block());
    }

    @Override
    public void close() {
        listening.dispose();
    }

    private Mono<Document> send(String id, Bson change) {
        return Mono.from(collection.findOneAndUpdate(eq("_id", id), change, RawCommandDocument.options()));
    }
}
