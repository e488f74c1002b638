package org.mongolocks.internal.run;

import java.time.Duration;
import java.util.Map;
import java.util.WeakHashMap;
import org.mongolocks.TimeSource;

/**
 * A detector for a connection pool that is too small for a change stream. A stream takes a connection for a second at a
 * time, and takes it again before a waiting command gets it. The driver does not expose its pool; but when commands are
 * in flight and none is answered while a stream is served, they may wait for the stream's connection, or the server is
 * slow. Then the streams of all lock clients on that driver's client are closed, and waiters poll: for a minute, and
 * twice as long if it happens again soon, up to an hour. Thread-safe.
 */
public final class ConnectionShortage {
    /** Half of the time for which a stream takes a connection; a reply that takes longer than this is rare. */
    private static final Duration STALLED = Duration.ofMillis(500);

    private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);
    private static final int MAX_DOUBLINGS = 6;

    private static final Map<Object, ConnectionShortage> SHARED = new WeakHashMap<>();

    private final TimeSource time;
    private int underWay;
    private long sinceNanos;
    private boolean known;
    private int times;
    private long foundNanos;

    /**
     * Creates a detector without any measurement.
     *
     * @param time monotonic time
     */
    public ConnectionShortage(TimeSource time) {
        this.time = time;
    }

    /**
     * Returns the detector that all lock clients on a driver's client share. It uses real time.
     *
     * @param driversClient the driver's client, which has the pool
     * @return its detector
     */
    public static ConnectionShortage of(Object driversClient) {
        synchronized (SHARED) {
            return SHARED.computeIfAbsent(driversClient, client -> new ConnectionShortage(TimeSource.system()));
        }
    }

    /** Records that a command begins: it requests a connection from the pool. */
    public synchronized void commandBegan() {
        if (underWay++ == 0) {
            sinceNanos = time.nanoTime();
        }
    }

    /** Records that a command has ended: it had a connection, or timed out. */
    public synchronized void commandEnded() {
        underWay--;
        sinceNanos = time.nanoTime();
    }

    /**
     * Returns whether commands have been in flight for a while and none was answered. Then an open stream should be
     * closed: the commands may wait for its connection.
     *
     * @return true during the shortage; {@link #isKnown} remembers it
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

    /** Returns whether an open stream should be closed, because of its own client's commands or of another client's. */
    public synchronized boolean leavesNoStream() {
        return isFound() || isKnown();
    }

    /** Returns how long no stream should be opened. */
    public synchronized Duration pauseLeft() {
        return isKnown() ? pause().minusNanos(time.nanoTime() - foundNanos) : Duration.ZERO;
    }

    /** Returns whether it is too early to open a stream. */
    public synchronized boolean isKnown() {
        known = known && time.nanoTime() - foundNanos < pause().toNanos();
        return known;
    }

    private Duration pause() {
        return FIRST_PAUSE.multipliedBy(1L << Math.min(Math.max(times - 1, 0), MAX_DOUBLINGS));
    }
}
