package org.mongolocks.embedded;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A clock that stands still until it is told to move on.
 *
 * <p>Moving it also wakes the servers that use it, in the thread that moves it: when {@link #advance} returns, what became due has happened.
 * Thread-safe.
 */
public final class MovableClock implements InstantSource {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private volatile Instant now;

    private MovableClock(Instant start) {
        this.now = start;
    }

    /**
     * Makes a clock that shows a time.
     *
     * @param start the time
     * @return the clock
     */
    public static MovableClock startingAt(Instant start) {
        return new MovableClock(start);
    }

    @Override
    public Instant instant() {
        return now;
    }

    /**
     * Moves the clock on, or back if the duration is negative, and wakes all whose time has come.
     *
     * @param duration how far
     */
    public void advance(Duration duration) {
        synchronized (this) {
            now = now.plus(duration);
        }
        listeners.forEach(Runnable::run);
    }

    /**
     * Has a listener called each time the clock has moved.
     *
     * @param listener is called in the thread that moves the clock
     * @return stops the calls when it is closed
     */
    public Registration onMove(Runnable listener) {
        listeners.add(listener);
        return () -> listeners.remove(listener);
    }

    /** The standing order of a listener to be called. */
    @FunctionalInterface
    public interface Registration extends AutoCloseable {
        /** Ends the calls. */
        @Override
        void close();
    }
}
