package org.mongolocks;

import java.time.Duration;
import java.util.Objects;

/**
 * Asks for a lock: which one, for how long, and how long to wait for it.
 *
 * @param name what to lock
 * @param ttl the length of the lease, from {@link #MIN_TTL} to {@link #MAX_TTL}. When it has passed without a renewal,
 *     another may take the lock. Choose several times the longest pause and round trip that the holder may suffer.
 * @param waitAtMost how long to wait while another holds the lock, from zero to {@link #MAX_WAIT}; zero asks once
 */
public record LockRequest(LockName name, Duration ttl, Duration waitAtMost) {
    /** The shortest lease: 100 milliseconds. */
    public static final Duration MIN_TTL = Duration.ofMillis(100);
    /** The longest lease: 24 hours. */
    public static final Duration MAX_TTL = Duration.ofHours(24);
    /** The longest wait: 365 days. */
    public static final Duration MAX_WAIT = Duration.ofDays(365);

    /**
     * Checks the bounds. MongoDB keeps milliseconds, so a finer part of the ttl is refused rather than dropped.
     *
     * @param name what to lock
     * @param ttl the length of the lease
     * @param waitAtMost how long to wait
     * @throws IllegalArgumentException if the ttl or the wait is out of bounds, or the ttl is not whole milliseconds
     */
    public LockRequest {
        Objects.requireNonNull(name, "The name of the lock is null");
        requireBetween("A ttl", MIN_TTL, MAX_TTL, ttl);
        requireBetween("A wait", Duration.ZERO, MAX_WAIT, waitAtMost);
        if (!Duration.ofMillis(ttl.toMillis()).equals(ttl)) {
            throw new IllegalArgumentException("A ttl is a whole number of milliseconds, but it was " + ttl);
        }
    }

    /**
     * Asks once for a lock, without waiting.
     *
     * @param name what to lock; see {@link LockName}
     * @param ttl the length of the lease, from {@link #MIN_TTL} to {@link #MAX_TTL}
     * @return the request
     * @throws IllegalArgumentException if the name or the ttl is out of bounds
     */
    public static LockRequest of(String name, Duration ttl) {
        return new LockRequest(LockName.of(name), ttl, Duration.ZERO);
    }

    /**
     * Gives the same request with another wait.
     *
     * @param wait how long to wait while another holds the lock, from zero to {@link #MAX_WAIT}; zero asks once
     * @return the request with that wait
     * @throws IllegalArgumentException if the wait is out of bounds
     */
    public LockRequest waitAtMost(Duration wait) {
        return new LockRequest(name, ttl, wait);
    }

    private static void requireBetween(String what, Duration least, Duration most, Duration found) {
        if (found.compareTo(least) < 0 || found.compareTo(most) > 0) {
            throw new IllegalArgumentException(what + " is from " + least + " to " + most + ", but it was " + found);
        }
    }
}
