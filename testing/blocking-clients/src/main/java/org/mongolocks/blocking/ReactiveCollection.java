package org.mongolocks.blocking;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.ReadConcern;
import com.mongodb.TransactionOptions;
import com.mongodb.reactivestreams.client.ChangeStreamPublisher;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoCollection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.bson.conversions.Bson;
import reactor.core.Disposable;
import reactor.core.publisher.ConnectableFlux;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A collection of the reactive-streams driver. */
record ReactiveCollection(MongoClient mongo, MongoCollection<Document> collection) implements DriverCollection {
    private static final Document HELLO = new Document("isMaster", 1);

    @Override
    public void ping() {
        Mono.from(mongo.getDatabase("admin").runCommand(DriverConnection.PING)).block();
    }

    @Override
    public void insert(Document document) {
        Mono.from(collection.insertOne(document)).block();
    }

    @Override
    public void delete(Bson filter) {
        Mono.from(collection.deleteOne(filter)).block();
    }

    @Override
    public Document change(Bson filter, Bson change) {
        return DriverCollection.changed(send(filter, change).block());
    }

    @Override
    public Document readAndChange(Bson filter, Bson change) {
        return DriverCollection.changed(Mono.from(collection.find(filter).first())
                .then(Mono.defer(() -> send(filter, change)))
                .block());
    }

    private Mono<Document> send(Bson filter, Bson change) {
        return Mono.from(collection.findOneAndUpdate(filter, change, DriverCollection.upsert()));
    }

    @Override
    public void insertInTransaction(Document document) {
        Mono.usingWhen(
                        mongo.startSession(),
                        session -> insertIn(session, document),
                        session -> Mono.fromRunnable(session::close))
                .block();
    }

    private Mono<Void> insertIn(ClientSession session, Document document) {
        session.startTransaction(TransactionOptions.builder()
                .writeConcern(collection.getWriteConcern())
                .build());
        return Mono.from(collection.insertOne(session, document))
                .then(Mono.defer(() -> Mono.from(session.commitTransaction())));
    }

    /** Opens the stream at the server's present time: the driver sends the first command of a stream only later. */
    @Override
    public Events watch(List<? extends Bson> pipeline) {
        ChangeStreamPublisher<Document> stream = collection
                .withReadConcern(ReadConcern.MAJORITY)
                .watch(pipeline)
                .maxAwaitTime(Events.AWAIT_MILLIS, TimeUnit.MILLISECONDS);
        BsonDocument hello = Mono.from(mongo.getDatabase("admin").runCommand(HELLO, BsonDocument.class))
                .blockOptional()
                .orElseThrow();
        ConnectableFlux<String> ids = Flux.from((hello.get("operationTime") instanceof BsonTimestamp now
                                ? stream.startAtOperationTime(now)
                                : stream)
                        .withDocumentClass(BsonDocument.class))
                .map(DriverCollection::idIn)
                .replay();
        return new ReactiveEvents(this, ids, ids.connect());
    }

    /** All events since the stream was opened, which are repeated to each call; one that awaits an event ends on the thread that receives it. */
    private record ReactiveEvents(ReactiveCollection watched, Flux<String> ids, Disposable listening)
            implements Events {
        @Override
        public void await(String id, long times) {
            nth(id, times).block();
        }

        @Override
        public Document changeAfter(long times, String id, Bson change) {
            return DriverCollection.changed(nth(id, times)
                    .then(Mono.defer(() -> watched.send(eq("_id", id), change)))
                    .block());
        }

        private Mono<String> nth(String id, long times) {
            return ids.filter(id::equals).skip(times - 1).next();
        }

        @Override
        public void close() {
            listening.dispose();
        }
    }
}
