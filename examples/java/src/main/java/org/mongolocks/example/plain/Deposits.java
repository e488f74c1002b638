package org.mongolocks.example.plain;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;

import com.mongodb.client.MongoCollection;
import org.bson.Document;
import org.mongolocks.sync.LockClient;

/** Books each message exactly once, however often it is delivered. */
final class Deposits {
    private final LockClient locks;
    private final MongoCollection<Document> accounts;
    private final MongoCollection<Document> booked;

    Deposits(LockClient locks, MongoCollection<Document> accounts, MongoCollection<Document> booked) {
        this.locks = locks;
        this.accounts = accounts;
        this.booked = booked;
    }

    /** Returns whether this call has booked the message: not if an earlier one has. */
    boolean book(String message, String account, int amount) throws InterruptedException {
        return locks.callWithLock(
                "account-" + account,
                lock -> lock.inTransaction(session -> {
                    if (booked.find(session, eq("_id", message)).first() != null) {
                        return false;
                    }
                    booked.insertOne(
                            session, new Document("_id", message)); // committed with the balance, or not at all
                    accounts.updateOne(session, eq("_id", account), inc("balance", amount));
                    return true;
                }));
    }
}
