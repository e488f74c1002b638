package org.mongolocks.spi;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.HolderInfo;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockOutcome;
import org.mongolocks.Owner;

/**
 * Gives an attempt what it needs.
 *
 * @param name what to lock
 * @param owner who asks; the same for every attempt of one acquisition
 * @param ttl the length of the lease
 * @param startedNanos the time before this attempt's first send, on the client's monotonic clock
 * @param previous what the attempt before saw, if the lock was contended then
 * @param lastSeen how this client saw the lock last, in this acquisition or an earlier one; tells which command to begin with
 * @param holder what to store for people who look at the lock
 */
public record AcquireContext(
        LockName name,
        Owner owner,
        Duration ttl,
        long startedNanos,
        Optional<Observation> previous,
        LastSeen lastSeen,
        HolderInfo holder) {

    /**
     * Gives an attempt what it needs, where nothing is known of the lock but what the attempt before saw.
     *
     * @param name what to lock
     * @param owner who asks
     * @param ttl the length of the lease
     * @param startedNanos the time before this attempt's first send
     * @param previous what the attempt before saw
     * @param holder what to store for people
     */
    public AcquireContext(
            LockName name,
            Owner owner,
            Duration ttl,
            long startedNanos,
            Optional<Observation> previous,
            HolderInfo holder) {
        this(name, owner, ttl, startedNanos, previous, lastSeenIn(previous), holder);
    }

    /**
     * Tells whether the lock is the caller's already.
     *
     * @param holder the stored owner, if any
     * @return true if that is the one who asks
     */
    public boolean isHeldByMe(Optional<String> holder) {
        return holder.equals(Optional.of(owner.stored()));
    }

    /**
     * Makes the outcome of a grant. The lease is counted from before this attempt.
     *
     * @param fencingToken the token that the server's reply shows
     * @return the outcome
     */
    public LockOutcome acquired(long fencingToken) {
        return new LockOutcome.Acquired(new Lease(name, owner, fencingToken, ttl, startedNanos + ttl.toNanos()));
    }

    private static LastSeen lastSeenIn(Optional<Observation> previous) {
        return previous.isPresent() ? LastSeen.HELD : LastSeen.UNKNOWN;
    }
}
