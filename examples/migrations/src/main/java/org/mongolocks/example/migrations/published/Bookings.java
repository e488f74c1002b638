package org.mongolocks.example.migrations.published;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;

import com.mongodb.client.MongoCollection;
import org.bson.Document;
import org.mongolocks.sync.LockClient;

/** What the article on the transaction wants: the lock and the writes together, or nothing. */
final class Bookings {
    private final LockClient locks;
    private final MongoCollection<Document> bookings;
    private final MongoCollection<Document> accounts;

    Bookings(LockClient locks, MongoCollection<Document> bookings, MongoCollection<Document> accounts) {
        this.locks = locks;
        this.bookings = bookings;
        this.accounts = accounts;
    }

    // begin
    boolean book(int number, int amount) throws InterruptedException {
        return locks.tryWithLock(
                "account-" + number,
                lock -> lock.inTransaction(session -> {
                    bookings.insertOne(session, new Document("account", number).append("amount", amount));
                    return accounts.updateOne(session, eq("_id", number), inc("balance", amount));
                }));
    }
    // end
}
