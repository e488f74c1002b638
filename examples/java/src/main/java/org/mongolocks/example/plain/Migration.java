package org.mongolocks.example.plain;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.set;

import com.mongodb.client.MongoCollection;
import java.time.Duration;
import org.bson.Document;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.FencedCollection;
import org.mongolocks.sync.LockClient;

/** A change of the data that one of the instances makes while they start, and the others wait for. */
final class Migration {
    private final LockClient locks;
    private final MongoCollection<Document> migrations;

    Migration(LockClient locks, MongoCollection<Document> migrations) {
        this.locks = locks;
        this.migrations = migrations;
    }

    /** Returns when the migration is done, by this instance or another one. Call it before the instance serves. */
    void runOnce(String name, Runnable work) throws InterruptedException {
        LockRequest request = locks.request("migration-" + name).waitAtMost(Duration.ofMinutes(10));
        locks.withLock(request, lock -> {
            FencedCollection<Document> fenced = FencedCollection.of(migrations, lock);
            Document migration = fenced.touchOrCreate(eq("_id", name), new Document("done", false));
            if (!migration.getBoolean("done")) {
                work.run();
                fenced.update(eq("_id", name), set("done", true));
            }
        });
    }
}
