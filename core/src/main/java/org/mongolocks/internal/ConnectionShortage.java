package org.mongolocks.internal;

import java.time.Duration;
import java.util.Map;
import java.util.WeakHashMap;
import org.mongolocks.TimeSource;

/**
 * Knowledge of whether the connection pool of one driver's client is too small for a change stream. A stream takes a
 * connection for a second at a time, and takes it again before a command that waits for one gets it. The driver shows
 * nothing of its pool; but when commands are under way and not one is answered while the stream is, they may wait for the
 * stream's connection; or the server is slow. Then the streams of all lock clients on that driver's client are closed, and
 * waiters poll: for a minute, and twice as long if it happens again soon, up to an hour. Thread-safe.
 */
public final class ConnectionShortage {
    /** Half of what a stream takes a connection for; an answer that takes longer than this is rare. */
    private static final Duration STALLED = Duration.ofMillis(500);

    private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);
    private static final int MOST_DOUBLINGS = 6;

    private static final Map<Object, ConnectionShortage> SHARED = new WeakHashMap<>();

    private final TimeSource time;
    private int underWay;
    private long sinceNanos;
    private boolean known;
    private int times;
    private long foundNanos;

    /**
     * Begins with nothing known.
     *
     * @param time monotonic time
     */
    public ConnectionShortage(TimeSource time) {
        this.time = time;
    }

    /**
     * Returns what all lock clients on a driver's client share. It goes by real time.
     *
     * @param driversClient the driver's client, which has the pool
     * @return the one for it
     */
    public static ConnectionShortage of(Object driversClient) {
        synchronized (SHARED) {
            return SHARED.computeIfAbsent(driversClient, client -> new ConnectionShortage(TimeSource.system()));
        }
    }

    /** Notes that a command begins: it asks the pool for a connection. */
    public synchronized void commandBegan() {
        if (underWay++ == 0) {
            sinceNanos = time.nanoTime();
        }
    }

    /** Notes that a command has ended: it had a connection, or has given up. */
    public synchronized void commandEnded() {
        underWay--;
        sinceNanos = time.nanoTime();
    }

    /**
     * Returns whether commands have been under way for a while and none was answered. Then a stream that is open should be
     * closed: they may wait for its connection.
     *
     * @return true while it is so; {@link #isKnown} remembers it
     */
    public synchronized boolean isFound() {
        long now = time.nanoTime();
        boolean found = underWay > 0 && now - sinceNanos >= STALLED.toNanos();
        if (found && !isKnown()) {
            times = now - foundNanos < 2 * pause().toNanos() ? times + 1 : 1;
            foundNanos = now;
            known = true;
        }
        return found;
    }

    /** Returns whether a stream that is open should be closed, because of its own client's commands or of another's. */
    synchronized boolean leavesNoStream() {
        return isFound() || isKnown();
    }

    /** Returns how long it is too early for another stream. */
    synchronized Duration pauseLeft() {
        return isKnown() ? pause().minusNanos(time.nanoTime() - foundNanos) : Duration.ZERO;
    }

    /** Returns whether it is too early for another stream. */
    synchronized boolean isKnown() {
        known = known && time.nanoTime() - foundNanos < pause().toNanos();
        return known;
    }

    private Duration pause() {
        return FIRST_PAUSE.multipliedBy(1L << Math.min(Math.max(times - 1, 0), MOST_DOUBLINGS));
    }
}
