package org.mongolocks.benchmarks.client;

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
import reactor.core.publisher.Mono;

/** Raw commands of the reactive-streams driver. */
final class ReactiveRawCommands implements RawCommands {
    private final MongoClient mongo;
    private final MongoDatabase admin;
    private final MongoCollection<Document> collection;
    private final TransactionOptions options;
    private final RawCommandDocument document = RawCommandDocument.fresh();
    private final RawCommandDocument brief = RawCommandDocument.fresh();

    ReactiveRawCommands(MongoClient mongo, MongoCollection<Document> collection, WriteConcern concern) {
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
        Mono.from(admin.runCommand(RawCommandDocument.PING)).block();
    }

    @Override
    public void insertAndDelete() {
        Mono.from(collection.insertOne(brief.document())).block();
        delete();
    }

    @Override
    public void take() {
        send(document.take()).block();
    }

    @Override
    public void lookAndTake() {
        Mono.from(collection.find(document.filter()).first())
                .then(Mono.defer(() -> send(document.take())))
                .block();
    }

    @Override
    public void giveBack() {
        send(document.giveBack()).block();
    }

    @Override
    public void insertInTransactionAndDelete() {
        Mono.usingWhen(mongo.startSession(), this::insertIn, session -> Mono.fromRunnable(session::close))
                .block();
        delete();
    }

    private Mono<Void> insertIn(ClientSession session) {
        session.startTransaction(options);
        return Mono.from(collection.insertOne(session, brief.document()))
                .then(Mono.defer(() -> Mono.from(session.commitTransaction())));
    }

    private void delete() {
        Mono.from(collection.deleteOne(brief.filter())).block();
    }

    private Mono<Document> send(Bson change) {
        return Mono.from(collection.findOneAndUpdate(document.filter(), change, RawCommandDocument.options()));
    }
}
