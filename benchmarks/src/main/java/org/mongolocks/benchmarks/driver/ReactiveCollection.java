package org.mongolocks.benchmarks.driver;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.reactivestreams.client.ClientSession;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoCollection;
import com.mongodb.reactivestreams.client.MongoDatabase;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.mongolocks.benchmarks.driver.RawCommands.DriverCollection;
import reactor.core.publisher.Mono;

/** A collection of the reactive-streams driver. */
final class ReactiveCollection implements DriverCollection {
    private final MongoClient mongo;
    private final MongoDatabase admin;
    private final MongoCollection<Document> collection;
    private final TransactionOptions options;

    ReactiveCollection(MongoClient mongo, MongoCollection<Document> collection, WriteConcern concern) {
        this.mongo = mongo;
        this.admin = mongo.getDatabase("admin");
        this.collection = collection
                .withWriteConcern(concern)
                .withReadConcern(ReadConcern.LOCAL)
                .withReadPreference(ReadPreference.primary());
        this.options = TransactionOptions.builder().writeConcern(concern).build();
    }

    @Override
    public void ping() {
        Mono.from(admin.runCommand(PING)).block();
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

    @Override
    public void insertInTransaction(Document document) {
        Mono.usingWhen(
                        mongo.startSession(),
                        session -> insertIn(session, document),
                        session -> Mono.fromRunnable(session::close))
                .block();
    }

    private Mono<Void> insertIn(ClientSession session, Document document) {
        session.startTransaction(options);
        return Mono.from(collection.insertOne(session, document))
                .then(Mono.defer(() -> Mono.from(session.commitTransaction())));
    }

    private Mono<Document> send(Bson filter, Bson change) {
        return Mono.from(collection.findOneAndUpdate(filter, change, DriverCollection.upsert()));
    }
}
