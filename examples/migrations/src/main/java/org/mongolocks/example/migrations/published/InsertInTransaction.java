package org.mongolocks.example.migrations.published;

import static com.mongodb.client.model.Filters.eq;

import com.mongodb.ErrorCategory;
import com.mongodb.MongoWriteException;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import java.time.Instant;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/** The insert is the only operation of its transaction. */
final class InsertInTransaction implements OldLock {
    private final MongoClient mongo;
    private final MongoCollection<Document> locks;

    InsertInTransaction(MongoClient mongo, MongoCollection<Document> locks) {
        this.mongo = mongo;
        this.locks = locks;
        locks.createIndex(Indexes.ascending("resourceId"), new IndexOptions().unique(true));
        locks.createIndex(Indexes.ascending("createdAt"), new IndexOptions().expireAfter(30L, TimeUnit.SECONDS));
    }

    // begin
    @Override
    public boolean acquire(String name) {
        try (ClientSession session = mongo.startSession()) {
            session.startTransaction();
            locks.insertOne(session, new Document("resourceId", name).append("createdAt", Instant.now()));
            session.commitTransaction();
            return true;
        } catch (MongoWriteException e) {
            if (e.getError().getCategory() == ErrorCategory.DUPLICATE_KEY) {
                return false;
            }
            throw e;
        }
    }

    @Override
    public void release(String name) {
        locks.deleteOne(eq("resourceId", name));
    }
    // end
}
