package org.mongolocks.benchmarks.driver;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.combine;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static com.mongodb.client.model.Updates.unset;

import java.util.UUID;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.mongolocks.blocking.DriverCollection;

/**
 * Raw commands of either driver, on documents that no other client uses. Blocks the calling thread until the server
 * replies.
 */
public final class RawCommands {
    private static final String OWNER = "owner";
    private static final String FENCE = "fence";

    private final DriverCollection collection;
    private final Bson lock = eq("_id", UUID.randomUUID().toString());
    private final String temporary = UUID.randomUUID().toString();

    RawCommands(DriverCollection collection) {
        this.collection = collection;
    }

    /** Sends a {@code ping}. */
    public void ping() {
        collection.ping();
    }

    /** Sets an owner and increments the fencing token, with one {@code findAndModify}. */
    public void acquire() {
        collection.change(lock, nextOwner());
    }

    /** Reads the document and then does the same as {@link #acquire}. */
    public void readAndAcquire() {
        collection.readAndChange(lock, nextOwner());
    }

    /** Removes the owner, with one {@code findAndModify}. */
    public void release() {
        collection.change(lock, unset(OWNER));
    }

    /** Inserts a document in a transaction, and deletes it with a single command after the commit. */
    public void insertInTransactionAndDelete() {
        collection.insertInTransaction(document());
        delete();
    }

    private void delete() {
        collection.delete(eq("_id", temporary));
    }

    /** Sets a new owner, as each grant does, and increments the fencing token. */
    private static Bson nextOwner() {
        return combine(set(OWNER, UUID.randomUUID().toString()), inc(FENCE, 1L));
    }

    private Document document() {
        return new Document("_id", temporary)
                .append(OWNER, UUID.randomUUID().toString())
                .append(FENCE, 1L);
    }
}
