package org.mongolocks.spi;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.mongolocks.HolderInfo;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.LockStrategy.LockOutcome;

/**
 * The input of one attempt to acquire a lock.
 *
 * @param name the name of the lock
 * @param owner the owner that asks; the same for every attempt of one acquisition
 * @param ttl the length of the lease
 * @param startedNanos the time before this attempt's first send, on the client's monotonic clock
 * @param previous what the previous attempt saw, if the lock was contended then
 * @param lastSeen how this client last saw the lock, in this acquisition or an earlier one; it selects the first
 *     command
 * @param holderInfo the holder information to store for operators
 * @param releasedRevision the revision of the lock after the release that the client was notified of, if nothing newer is
 *     known of the lock
 * @param waiter the waiter that attempts, and its entry in the list of waiters; empty if the attempt is not repeated, or
 *     if there is no list
 */
public record AcquireContext(
        LockName name,
        Owner owner,
        Duration ttl,
        long startedNanos,
        Optional<Observation> previous,
        LastKnownState lastSeen,
        HolderInfo holderInfo,
        OptionalLong releasedRevision,
        Optional<Waiter> waiter) {

    /**
     * Creates the input of an attempt that is not made by a waiter.
     *
     * @param name the name of the lock
     * @param owner the owner that asks
     * @param ttl the length of the lease
     * @param startedNanos the time before this attempt's first send
     * @param previous what the previous attempt saw
     * @param lastSeen how this client last saw the lock
     * @param holderInfo the holder information to store
     */
    public AcquireContext(
            LockName name,
            Owner owner,
            Duration ttl,
            long startedNanos,
            Optional<Observation> previous,
            LastKnownState lastSeen,
            HolderInfo holderInfo) {
        this(name, owner, ttl, startedNanos, previous, lastSeen, holderInfo, OptionalLong.empty(), Optional.empty());
    }

    /**
     * Creates the input of an attempt for a client that knows nothing of the lock except what the previous attempt saw.
     *
     * @param name the name of the lock
     * @param owner the owner that asks
     * @param ttl the length of the lease
     * @param startedNanos the time before this attempt's first send
     * @param previous what the previous attempt saw
     * @param holderInfo the holder information to store
     */
    public AcquireContext(
            LockName name,
            Owner owner,
            Duration ttl,
            long startedNanos,
            Optional<Observation> previous,
            HolderInfo holderInfo) {
        this(name, owner, ttl, startedNanos, previous, lastSeenIn(previous), holderInfo);
    }

    /**
     * Returns the same attempt for a transaction, whose abort would undo a change of the list of waiters.
     *
     * @return the attempt, which leaves the list as it is if it does not acquire the lock
     */
    public AcquireContext keepingList() {
        return new AcquireContext(
                name,
                owner,
                ttl,
                startedNanos,
                previous,
                lastSeen,
                holderInfo,
                releasedRevision,
                waiter.map(listed -> new Waiter(listed.number(), Waiter.Entry.KEEP)));
    }

    /**
     * Returns whether the owner of this attempt holds the lock already.
     *
     * @param holder the stored owner, if any
     * @return true if that is the owner of this attempt
     */
    public boolean isHeldByMe(Optional<String> holder) {
        return holder.equals(Optional.of(owner.stored()));
    }

    /**
     * Returns the outcome of a grant. The lease is counted from before this attempt.
     *
     * @param fencingToken the token in the server's reply
     * @return the outcome
     */
    public LockOutcome.Acquired acquired(long fencingToken) {
        return acquired(fencingToken, 0, Duration.ZERO);
    }

    /**
     * Returns the outcome of a grant that shows the waiters.
     *
     * @param fencingToken the token of the grant
     * @param waiters how many waiters are in the list after the grant
     * @param freeFor how long the lock had been free; zero if that is not known
     * @return the outcome
     */
    public LockOutcome.Acquired acquired(long fencingToken, int waiters, Duration freeFor) {
        Lease lease = new Lease(name, owner, fencingToken, ttl, startedNanos + ttl.toNanos());
        return new LockOutcome.Acquired(lease, waiters, freeFor);
    }

    private static LastKnownState lastSeenIn(Optional<Observation> previous) {
        return previous.isPresent() ? LastKnownState.HELD : LastKnownState.UNKNOWN;
    }

    /**
     * A waiter; see {@link LockStrategy#waitingList}.
     *
     * @param number its number in the list
     * @param unlessAcquired what the attempt does with its entry if it does not acquire the lock
     */
    public record Waiter(long number, Entry unlessAcquired) {
        /** A change of the list of waiters. */
        public enum Entry {
            /** Adds the waiter at the end, unless it is in the list. */
            ADD,
            /** Leaves the list as it is. */
            KEEP,
            /** Removes the waiter. */
            REMOVE
        }
    }

    /**
     * The lock as earlier attempts of an acquisition saw it, and for how long it has not changed.
     *
     * @param snapshot the lock as the newest attempt saw it
     * @param unchangedFor for how long, at least, every attempt saw the same lease of the same holder at the same
     *     revision: by the client's own monotonic clock, from after the first reply that showed it until now
     */
    public record Observation(LockSnapshot snapshot, Duration unchangedFor) {}

    /**
     * The state of a lock when a client last saw it, in this acquisition or in an earlier one. It may have changed
     * since: use it only to select the first command, so that fewer are needed.
     */
    public enum LastKnownState {
        /** The client has not seen the lock, or no longer remembers it. */
        UNKNOWN,
        /** The lock was released, or was never held. */
        FREE,
        /**
         * Another owner held the lock: of another client, or another acquisition of this client. Or it was free, and other
         * waiters come first.
         */
        HELD,
        /**
         * The lock has become free, and an attempt is due: the last reply showed that, or a change stream has notified
         * the client of a release since. Other waiters may try at the same time.
         */
        BECAME_FREE;

        /**
         * Returns the state that a snapshot shows.
         *
         * @param snapshot the lock as the server showed it
         * @return held, also if it is free and others wait for it; free after a release; or free because the lease has ended
         */
        public static LastKnownState in(LockSnapshot snapshot) {
            if (snapshot.isHeld() || snapshot.waiters() > 0) {
                return HELD;
            }
            return snapshot.holder().isPresent() ? BECAME_FREE : FREE;
        }
    }
}
