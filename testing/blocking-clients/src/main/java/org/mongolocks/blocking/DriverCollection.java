package org.mongolocks.blocking;

import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.ReturnDocument;
import java.util.List;
import java.util.Objects;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;

/**
 * A collection of either driver with one write concern, for commands without lock logic. Blocks the calling thread until
 * the server replies.
 */
public interface DriverCollection {
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

    /** Opens a change stream, which delivers every event after it was opened. The caller closes it. */
    Events watch(List<? extends Bson> pipeline);

    /** A change stream on a collection whose documents have a string as {@code _id}. For one thread that waits. */
    interface Events extends AutoCloseable {
        /** The {@code maxAwaitTimeMS}, the same as in the lock clients. */
        long AWAIT_MILLIS = 1_000;

        /** Waits until the stream has delivered this many events of a document. */
        void await(String id, long times);

        /**
         * Waits in the same way, then changes the document at once. If the event has not arrived before, the reactive driver sends the
         * change from the thread that receives it.
         */
        Document changeAfter(long times, String id, Bson change);

        @Override
        void close();
    }

    /** Returns the id of the document that an event is about. */
    static String idIn(BsonDocument event) {
        return event.getDocument("documentKey").getString("_id").getValue();
    }

    static FindOneAndUpdateOptions upsert() {
        return new FindOneAndUpdateOptions().upsert(true).returnDocument(ReturnDocument.AFTER);
    }

    /** Returns the document left by an upsert, which is never null. */
    static Document changed(@Nullable Document after) {
        return Objects.requireNonNull(after, "A findAndModify with returnDocument AFTER returned no document");
    }
}
