package org.mongolocks.benchmarks.driver;

import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * A collection with a change stream on it, for either driver: delivers every event after it was opened. Blocks the
 * calling thread until the server replies. For one thread that writes and one that waits.
 */
public interface RawChangeStream extends AutoCloseable {
    /** The {@code maxAwaitTimeMS} of a change stream, the same as in the lock clients. */
    long AWAIT_MILLIS = 1_000;

    /** Inserts a document that has only an id. */
    void insert(String id);

    /** Updates or inserts a document with one {@code findAndModify} and returns the document after the change. */
    Document change(String id, Bson change);

    /** Waits until the stream has delivered this many events of a document. */
    void await(String id, long times);

    /**
     * Waits in the same way, then changes the document at once. The reactive driver sends the change from the thread
     * that received the event.
     */
    Document changeAfter(long times, String id, Bson change);

    @Override
    void close();

    /** Returns the id of the document that an event is about. */
    static String idIn(BsonDocument event) {
        return event.getDocument("documentKey").getString("_id").getValue();
    }
}
