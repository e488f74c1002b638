package org.mongolocks.internal.wait;

/** A source of change streams on the collection of the lock documents; each driver has one. */
@FunctionalInterface
public interface ChangeFeed {
    /**
     * Starts to open a stream, and returns at once.
     *
     * @param listener called on the stream's own thread
     * @return the handle that closes the stream; the listener may still be called shortly after that
     */
    Subscription open(ChangeStreamListener listener);

    /**
     * Returns the feed of a client that only polls.
     *
     * @return a feed that never calls its listener
     */
    static ChangeFeed none() {
        return listener -> () -> {};
    }

    /** An open stream. */
    @FunctionalInterface
    interface Subscription extends AutoCloseable {
        /** Closes the stream. Further calls have no effect. */
        @Override
        void close();
    }
}
