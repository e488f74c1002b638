package org.mongolocks;

import java.time.Duration;
import org.mongolocks.internal.settings.ClientSettings.LeaseSettings;
import org.mongolocks.internal.time.TimeSource;

/**
 * A time-bounded grant of a lock.
 *
 * <p>Server and holder each judge the end of a lease: the server by its own clock, the holder by its monotonic clock,
 * counted from the time just before the first send of the attempt that succeeded, less the
 * {@linkplain LeaseSettings#marginFor skew margin} of the client. A strategy works with leases before the margin is
 * subtracted. The holder's end comes before the server's end as long as the two clocks drift apart by no more than that
 * margin during one lease. If the holder's process is paused beyond the end of the lease, the holder cannot detect that
 * in time: writes are safe only if each of them checks the {@link #fencingToken()}. Immutable.
 *
 * @param name the name of the lock
 * @param owner the holder
 * @param fencingToken a number larger than that of every earlier grant of this lock, at least 1
 * @param ttl the length of the lease when it was granted, and of each renewal that has no other
 * @param validUntilNanos the holder's end of the lease, in nanoseconds of the {@link TimeSource} of its client
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

    /**
     * Returns how much of the lease is left.
     *
     * @param nowNanos the time now, on the {@link TimeSource} of the client that acquired the lease
     * @return the time left, zero when the lease has ended
     */
    public Duration remaining(long nowNanos) {
        return Duration.ofNanos(Math.max(0, validUntilNanos - nowNanos));
    }

    /**
     * Returns the same grant with an earlier end on the holder's side.
     *
     * @param margin how much earlier
     * @return the lease with that end
     */
    public Lease endingEarlier(Duration margin) {
        return endingAt(validUntilNanos - margin.toNanos());
    }

    /**
     * Returns the same grant with another end on the holder's side.
     *
     * @param endNanos the end, on the {@link TimeSource} of the client
     * @return the lease with that end
     */
    public Lease endingAt(long endNanos) {
        return endNanos == validUntilNanos ? this : new Lease(name, owner, fencingToken, ttl, endNanos);
    }

    /**
     * Returns a lease of the same grant that starts at a given time, for a renewal.
     *
     * @param startedNanos the time before the renewal is sent, on the {@link TimeSource} of the client
     * @param length the length of the lease
     * @return the lease with that length and the end that follows from it, which may be earlier than that of this one
     */
    public Lease startingAt(long startedNanos, Duration length) {
        return new Lease(name, owner, fencingToken, length, startedNanos + length.toNanos());
    }

    /**
     * Returns the same grant with a later end, after a renewal for a whole ttl.
     *
     * @param startedNanos the start of the new lease: the time before the renewal was first sent, on the
     *     {@link TimeSource} of the client; less the skew margin if the result is for the holder
     * @return the renewed lease; it never ends earlier than this one
     */
    public Lease renewed(long startedNanos) {
        return renewed(startedNanos, ttl);
    }

    /**
     * Returns the same grant with a later end, after a renewal for a given time. The ttl stays: it is the length of the
     * next renewals.
     *
     * @param startedNanos the start of the new lease, as for {@link #renewed(long)}
     * @param length the length of the new lease
     * @return the renewed lease; it never ends earlier than this one
     */
    public Lease renewed(long startedNanos, Duration length) {
        long extension = Math.max(0, startedNanos + length.toNanos() - validUntilNanos);
        return new Lease(name, owner, fencingToken, ttl, validUntilNanos + extension);
    }
}
