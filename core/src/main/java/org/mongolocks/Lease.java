package org.mongolocks;

import java.time.Duration;

/**
 * A time-bounded grant of a lock.
 *
 * <p>Server and holder each judge the end of a lease: the server by its own clock, the holder by its monotonic clock.
 * The holder counts from just before the first send of the attempt that succeeded, and subtracts the
 * {@linkplain LockClientBuilder#skewMargin skew margin} of the client. A strategy works with leases before the margin
 * is subtracted. The holder's end comes before the server's end as long as the two clocks drift apart by no more than
 * that margin during one lease. If the holder's process is paused beyond the end of the lease, the holder cannot detect
 * that in time: writes are safe only if each of them checks the {@link #fencingToken()}. Immutable.
 *
 * @param name the name of the lock
 * @param owner the holder
 * @param fencingToken a number larger than that of every earlier grant of this lock, at least 1
 * @param ttl the length of the lease when it was granted, and of each renewal that has no other
 * @param validUntilNanos the holder's end of the lease, in nanoseconds of the monotonic clock of its client
 */
public record Lease(LockName name, Owner owner, long fencingToken, Duration ttl, long validUntilNanos) {
    /** The largest value to which an operator may raise tokens, 2<sup>53</sup>: it leaves room for later grants. */
    public static final long MAX_RAISED_TOKEN = 1L << 53;

    /**
     * Checks the token.
     *
     * @param name the name of the lock
     * @param owner the holder
     * @param fencingToken the token, at least 1
     * @param ttl the length of the lease
     * @param validUntilNanos the holder's end of the lease
     * @throws IllegalArgumentException if the token is less than 1
     */
    public Lease {
        requireToken(fencingToken);
    }

    /**
     * Checks the value to which tokens are raised. The bound leaves room for the grants that follow, and for further
     * raises: some strategies add the value to their counter.
     *
     * @param floor the value, from 1 to {@link #MAX_RAISED_TOKEN}
     * @throws IllegalArgumentException if it is out of bounds
     */
    public static void requireFloor(long floor) {
        if (floor < 1 || floor > MAX_RAISED_TOKEN) {
            throw new IllegalArgumentException(
                    "floor of fencing tokens must be from 1 to " + MAX_RAISED_TOKEN + ", was " + floor);
        }
    }

    /**
     * Checks a fencing token.
     *
     * @param fencingToken the token, at least 1
     * @throws IllegalArgumentException if the token is less than 1
     */
    public static void requireToken(long fencingToken) {
        if (fencingToken < 1) {
            throw new IllegalArgumentException("fencing token must be at least 1, was " + fencingToken);
        }
    }
}
