package org.mongolocks.internal;

/** Opens change streams on the collection of the lock documents; each driver has one. */
@FunctionalInterface
public interface ChangeFeed {
    /**
     * Begins to open a stream, and returns at once.
     *
     * @param listener whom to tell, on the stream's own thread
     * @return ends the stream; the listener may be told a little longer
     */
    Subscription open(ChangeListener listener);

    /**
     * Gives the feed of a client that only polls.
     *
     * @return a feed that never tells anything
     */
    static ChangeFeed none() {
        return listener -> () -> {};
    }

    /** One stream. */
    @FunctionalInterface
    interface Subscription extends AutoCloseable {
        /** Ends the stream. It is harmless to end it again. */
        @Override
        void close();
    }
}
