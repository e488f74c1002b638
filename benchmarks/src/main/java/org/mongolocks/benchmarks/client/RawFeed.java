package org.mongolocks.benchmarks.client;

import org.bson.Document;
import org.bson.conversions.Bson;

/**
 * Is a collection that a floor writes to with either driver, and a change stream on it: whatever happens after it was opened
 * is told. The calling thread waits for replies. For one thread that writes and one that awaits.
 */
public interface RawFeed extends AutoCloseable {
    /** Inserts a document that has only an id. */
    void insert(String id);

    /** Changes a document, or makes it, with one {@code findAndModify}, and gives what it is then. */
    Document change(String id, Bson change);

    /** Waits until the stream has told of a document so many times. */
    void await(String id, long times);

    /** Waits for that, and changes the document at once: with the reactive driver from the thread that has the event. */
    Document changeAfter(long times, String id, Bson change);

    @Override
    void close();
}
