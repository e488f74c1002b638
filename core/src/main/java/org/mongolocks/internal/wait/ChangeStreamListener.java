package org.mongolocks.internal.wait;

import com.mongodb.MongoException;
import org.bson.BsonDocument;

/** A listener for the events of a change stream. Its methods return quickly. */
public interface ChangeStreamListener {
    /** Handles the opening: every later change will be delivered. */
    void opened();

    /**
     * Handles a change of a lock document, or of their collection.
     *
     * @param change the event, as {@link ReleaseEvents#pipeline()} returns it
     */
    void changed(BsonDocument change);

    /** Handles about a second without a change. */
    void quiet();

    /**
     * Handles a stream that failed, or was never opened.
     *
     * @param cause the fault
     */
    void failed(MongoException cause);
}
