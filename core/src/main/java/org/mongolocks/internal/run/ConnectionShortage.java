package org.mongolocks.internal.run;

import java.time.Duration;
import java.util.Map;
import java.util.WeakHashMap;
import org.mongolocks.TimeSource;

/**
 * A detector for a connection pool that is too small for a change stream. A stream takes a connection for a second at a
 * time, and takes it again before a waiting command gets it.
 *
 * <p>The driver does not expose its pool. A shortage is assumed when commands are in flight and none of them ends for
 * half a second: they may wait for the stream's connection, or the server is slow. Then the streams of all lock clients
 * on that driver's client are closed, and waiters poll: for a minute, and for twice as long each time that it happens
 * again soon, up to about an hour. Thread-safe.
 */
public final class ConnectionShortage {
    /** Half of the time for which a stream takes a connection; a reply that takes longer than this is rare. */
    private static final Duration MAX_WITHOUT_PROGRESS = Duration.ofMillis(500);

    private static final Duration FIRST_PAUSE = Duration.ofMinutes(1);
    private static final int MAX_DOUBLINGS = 6;

    private static final Map<Object, ConnectionShortage> SHARED = new WeakHashMap<>();

    private final TimeSource time;
    private int inFlight;
    private long lastProgressNanos;
    private boolean pausing;
    private int timesInARow;
    private long pauseStartNanos;

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
        if (inFlight++ == 0) {
            lastProgressNanos = time.nanoTime();
        }
    }

    /** Records that a command has ended: it had a connection, or timed out. */
    public synchronized void commandEnded() {
        inFlight--;
        lastProgressNanos = time.nanoTime();
    }

    /**
     * Returns whether commands have been in flight for a while and none was answered. Then an open stream should be
     * closed: the commands may wait for its connection.
     *
     * @return true during the shortage; {@link #isPausing} remembers it
     */
    public synchronized boolean isStalled() {
        long now = time.nanoTime();
        boolean stalled = inFlight > 0 && now - lastProgressNanos >= MAX_WITHOUT_PROGRESS.toNanos();
        if (stalled && !isPausing()) {
            timesInARow = now - pauseStartNanos < 2 * pause().toNanos() ? timesInARow + 1 : 1;
            pauseStartNanos = now;
            pausing = true;
        }
        return stalled;
    }

    /** Returns whether an open stream should be closed, because of its own client's commands or of another client's. */
    public synchronized boolean mustCloseStreams() {
        return isStalled() || isPausing();
    }

    /** Returns how long no stream should be opened. */
    public synchronized Duration pauseLeft() {
        return isPausing() ? pause().minusNanos(time.nanoTime() - pauseStartNanos) : Duration.ZERO;
    }

    /** Returns whether it is too early to open a stream. */
    public synchronized boolean isPausing() {
        pausing = pausing && time.nanoTime() - pauseStartNanos < pause().toNanos();
        return pausing;
    }

    private Duration pause() {
        return FIRST_PAUSE.multipliedBy(1L << Math.min(Math.max(timesInARow - 1, 0), MAX_DOUBLINGS));
    }
}
