package org.mongolocks.benchmarks.client;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import org.bson.Document;

/** Raw commands of the synchronous driver. */
final class SyncRawCommands implements RawCommands {
    private final MongoClient mongo;
    private final MongoDatabase admin;
    private final MongoCollection<Document> collection;
    private final TransactionOptions options;
    private final RawCommandDocument document = RawCommandDocument.fresh();
    private final RawCommandDocument brief = RawCommandDocument.fresh();

    SyncRawCommands(MongoClient mongo, MongoCollection<Document> collection, WriteConcern concern) {
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
        admin.runCommand(RawCommandDocument.PING);
    }

    @Override
    public void insertAndDelete() {
        collection.insertOne(brief.document());
        collection.deleteOne(brief.filter());
    }

    @Override
    public void take() {
        collection.findOneAndUpdate(document.filter(), document.take(), RawCommandDocument.options());
    }

    @Override
    public void lookAndTake() {
        collection.find(document.filter()).first();
        take();
    }

    @Override
    public void giveBack() {
        collection.findOneAndUpdate(document.filter(), document.giveBack(), RawCommandDocument.options());
    }

    @Override
    public void insertInTransactionAndDelete() {
        try (ClientSession session = mongo.startSession()) {
            session.startTransaction(options);
            collection.insertOne(session, brief.document());
            session.commitTransaction();
        }
        collection.deleteOne(brief.filter());
    }
}
