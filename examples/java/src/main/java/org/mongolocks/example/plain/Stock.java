package org.mongolocks.example.plain;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;

import com.mongodb.client.MongoCollection;
import java.time.Duration;
import org.bson.Document;
import org.mongolocks.LockRequest;
import org.mongolocks.sync.FencedCollection;
import org.mongolocks.sync.LockClient;

/** Sells what is in stock, and no more, whatever the number of instances that sell. */
final class Stock {
    private final LockClient locks;
    private final MongoCollection<Document> items;

    Stock(LockClient locks, MongoCollection<Document> items) {
        this.locks = locks;
        this.items = items;
    }

    /** Returns whether the sale was made: not if too few are left, or other customers wait longer than ten seconds. */
    boolean sell(String item, int quantity, Runnable payment) throws InterruptedException {
        LockRequest request = locks.request("stock-" + item)
                .waitAtMost(Duration.ofSeconds(10))
                .fair();
        return locks.tryCallWithLock(request, lock -> {
                    FencedCollection<Document> fenced = FencedCollection.of(items, lock);
                    Document found = fenced.touch(eq("_id", item)).orElseThrow();
                    if (found.getInteger("left") < quantity) {
                        return false;
                    }
                    payment.run(); // give it the number of the order as its key: a crash after it may repeat it
                    return fenced.update(eq("_id", item), inc("left", -quantity));
                })
                .orElse(false);
    }
}
