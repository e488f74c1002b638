package org.mongolocks.embedded;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A clock that can be moved. Between the moves it stands still, or runs as the system's does.
 *
 * <p>Moving it also wakes the servers that use it, in the thread that moves it: when {@link #advance} returns, all due tasks have run.
 * Thread-safe.
 */
public final class MovableClock implements InstantSource {
    private final List<Runnable> listeners = new CopyOnWriteArrayList<>();
    private final InstantSource base;
    private final boolean isRunning;
    private volatile Duration offset = Duration.ZERO;

    private MovableClock(InstantSource base, boolean isRunning) {
        this.base = base;
        this.isRunning = isRunning;
    }

    /**
     * Makes a clock that stands still.
     *
     * @param start the time that it shows until it is moved
     * @return the clock
     */
    public static MovableClock startingAt(Instant start) {
        return new MovableClock(InstantSource.fixed(start), false);
    }

    /**
     * Makes a clock that runs with the system's, ahead of it by as much as it is moved.
     *
     * @return the clock
     */
    public static MovableClock running() {
        return new MovableClock(InstantSource.system(), true);
    }

    /**
     * Tells whether time passes by itself.
     *
     * @return false if the clock stands still between its moves
     */
    public boolean isRunning() {
        return isRunning;
    }

    @Override
    public Instant instant() {
        return base.instant().plus(offset);
    }

    /**
     * Moves the clock on, or back if the duration is negative, and wakes all whose time has come.
     *
     * @param duration how far
     */
    public void advance(Duration duration) {
        synchronized (this) {
            offset = offset.plus(duration);
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
