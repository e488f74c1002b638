package org.mongolocks.example.migrations.published;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Filters.lt;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import java.util.Objects;
import org.bson.Document;

/** The caller that counts to one has the lock. */
final class CounterWithExpiry implements OldLock {
    private static final long LIFE_MILLIS = 30_000;
    private static final FindOneAndUpdateOptions UPSERT =
            new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER);

    private final MongoCollection<Document> locks;

    CounterWithExpiry(MongoCollection<Document> locks) {
        this.locks = locks;
    }

    // begin
    @Override
    public boolean acquire(String name) {
        long now = System.currentTimeMillis();
        Document held = locks.find(eq("key", name)).first();
        if (held != null && held.getLong("expire") >= now) {
            return false;
        }
        locks.deleteOne(and(eq("key", name), lt("expire", now)));
        Document counted = locks.findOneAndUpdate(
                eq("key", name), combine(inc("value", 1), set("expire", now + LIFE_MILLIS)), UPSERT);
        return Objects.requireNonNull(counted).getInteger("value") == 1;
    }

    @Override
    public void release(String name) {
        locks.deleteOne(eq("key", name));
    }
    // end
}
