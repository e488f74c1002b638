package org.mongolocks.example.migrations.published;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;

import com.mongodb.MongoException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import java.time.Instant;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.bson.Document;

/** A document exists while its lock is held. */
final class InsertWithTtl implements OldLock {
    private final MongoCollection<Document> locks;
    private final String process = UUID.randomUUID().toString();

    InsertWithTtl(MongoCollection<Document> locks) {
        this.locks = locks;
        locks.createIndex(Indexes.ascending("updatedAt"), new IndexOptions().expireAfter(120L, TimeUnit.SECONDS));
    }

    // begin
    @Override
    public boolean acquire(String name) {
        try {
            locks.insertOne(
                    new Document("_id", name).append("acquirer", process).append("updatedAt", Instant.now()));
            return true;
        } catch (MongoException e) {
            return false;
        }
    }

    @Override
    public void release(String name) {
        locks.deleteOne(and(eq("_id", name), eq("acquirer", process)));
    }
    // end
}
