package org.mongolocks.benchmarks.driver;

import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.mongolocks.benchmarks.driver.RawCommands.DriverCollection;

/** A collection of the synchronous driver. */
final class SyncCollection implements DriverCollection {
    private final MongoClient mongo;
    private final MongoDatabase admin;
    private final MongoCollection<Document> collection;
    private final TransactionOptions options;

    SyncCollection(MongoClient mongo, MongoCollection<Document> collection, WriteConcern concern) {
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
        admin.runCommand(PING);
    }

    @Override
    public void insert(Document document) {
        collection.insertOne(document);
    }

    @Override
    public void delete(Bson filter) {
        collection.deleteOne(filter);
    }

    @Override
    public Document change(Bson filter, Bson change) {
        return DriverCollection.changed(collection.findOneAndUpdate(filter, change, DriverCollection.upsert()));
    }

    @Override
    public Document readAndChange(Bson filter, Bson change) {
        collection.find(filter).first();
        return change(filter, change);
    }

    @Override
    public void insertInTransaction(Document document) {
        try (ClientSession session = mongo.startSession()) {
            session.startTransaction(options);
            collection.insertOne(session, document);
            session.commitTransaction();
        }
    }
}
