package org.mongolocks.internal.wait;

import com.mongodb.MongoException;
import org.bson.BsonDocument;

/** A source of change streams on the collection of the lock documents; each driver has one. */
@FunctionalInterface
public interface ChangeFeed {
    /**
     * Starts to open a stream, and returns at once.
     *
     * @param listener called on the stream's own thread
     * @return the handle that closes the stream; the listener may still be called shortly after that
     */
    Subscription open(Listener listener);

    /**
     * Returns the feed of a client that only polls.
     *
     * @return a feed that never calls its listener
     */
    static ChangeFeed none() {
        return listener -> () -> {};
    }

    /** A listener for the events of a change stream. Its methods return quickly. */
    interface Listener {
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

    /** An open stream. */
    @FunctionalInterface
    interface Subscription extends AutoCloseable {
        /** Closes the stream. Further calls have no effect. */
        @Override
        void close();
    }
}
