package org.mongolocks.benchmarks.driver;

import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import java.util.Objects;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * A collection of either driver, with one write concern, for commands without lock logic. Blocks the calling thread
 * until the server replies.
 */
interface DriverCollection {
    Document PING = new Document("ping", 1);

    /** Sends a {@code ping}. */
    void ping();

    void insert(Document document);

    void delete(Bson filter);

    /** Updates or inserts a document with one {@code findAndModify} and returns the document after the change. */
    Document change(Bson filter, Bson change);

    /** Reads a document, then does the same as {@link #change}. */
    Document readAndChange(Bson filter, Bson change);

    /** Inserts a document in a transaction. */
    void insertInTransaction(Document document);

    static FindOneAndUpdateOptions upsert() {
        return new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER);
    }

    /** Returns the document left by an upsert, which is never null. */
    static Document changed(@Nullable Document after) {
        return Objects.requireNonNull(after, "A findAndModify with returnDocument AFTER returned no document");
    }
}
