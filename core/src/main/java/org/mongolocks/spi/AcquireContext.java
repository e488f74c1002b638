package org.mongolocks.spi;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.mongolocks.CheckReturnValue;
import org.mongolocks.HolderInfo;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.Owner;
import org.mongolocks.spi.LockStrategy.LockOutcome;

/**
 * The input of one attempt to acquire a lock. Immutable: each method that changes something returns another attempt. A
 * client creates it, or a test.
 */
public final class AcquireContext {
    private final LockName name;
    private final Owner owner;
    private final Duration ttl;
    private final long startedNanos;
    private final Optional<Observation> previous;
    private final LastKnownState lastSeen;
    private final HolderInfo holderInfo;
    private final OptionalLong releasedRevision;
    private final Optional<Waiter> waiter;

    private AcquireContext(
            LockName name,
            Owner owner,
            Duration ttl,
            long startedNanos,
            Optional<Observation> previous,
            LastKnownState lastSeen,
            HolderInfo holderInfo,
            OptionalLong releasedRevision,
            Optional<Waiter> waiter) {
        this.name = Objects.requireNonNull(name, "The name of the lock is null");
        this.owner = Objects.requireNonNull(owner, "The owner is null");
        this.ttl = Objects.requireNonNull(ttl, "The ttl is null");
        this.startedNanos = startedNanos;
        this.previous = previous;
        this.lastSeen = lastSeen;
        this.holderInfo = holderInfo;
        this.releasedRevision = releasedRevision;
        this.waiter = waiter;
    }

    /**
     * Creates the input of the first attempt of a client that knows nothing of the lock, and stores nothing about itself.
     *
     * @param name the name of the lock
     * @param owner the owner that asks; the same for every attempt of one acquisition
     * @param ttl the length of the lease
     * @param startedNanos the time before this attempt's first send, on the client's monotonic clock
     * @return the input
     */
    public static AcquireContext of(LockName name, Owner owner, Duration ttl, long startedNanos) {
        return new AcquireContext(
                name,
                owner,
                ttl,
                startedNanos,
                Optional.empty(),
                LastKnownState.UNKNOWN,
                HolderInfo.none(),
                OptionalLong.empty(),
                Optional.empty());
    }

    /**
     * Returns the same attempt after another one.
     *
     * @param previous what the previous attempt saw
     * @return the attempt with that observation
     */
    @CheckReturnValue
    public AcquireContext previous(Optional<Observation> previous) {
        return new AcquireContext(
                name, owner, ttl, startedNanos, previous, lastSeen, holderInfo, releasedRevision, waiter);
    }

    /**
     * Returns the same attempt of a client that has seen the lock.
     *
     * @param lastSeen how this client last saw the lock
     * @return the attempt with that state
     */
    @CheckReturnValue
    public AcquireContext lastSeen(LastKnownState lastSeen) {
        return new AcquireContext(
                name, owner, ttl, startedNanos, previous, lastSeen, holderInfo, releasedRevision, waiter);
    }

    /**
     * Returns the same attempt with holder information.
     *
     * @param holderInfo the information to store
     * @return the attempt with that information
     */
    @CheckReturnValue
    public AcquireContext holderInfo(HolderInfo holderInfo) {
        return new AcquireContext(
                name, owner, ttl, startedNanos, previous, lastSeen, holderInfo, releasedRevision, waiter);
    }

    /**
     * Returns the same attempt after a release.
     *
     * @param releasedRevision the revision of the lock after the release
     * @return the attempt with that revision
     */
    @CheckReturnValue
    public AcquireContext releasedRevision(OptionalLong releasedRevision) {
        return new AcquireContext(
                name, owner, ttl, startedNanos, previous, lastSeen, holderInfo, releasedRevision, waiter);
    }

    /**
     * Returns the same attempt of a waiter.
     *
     * @param waiter the waiter that attempts, and its entry in the list of waiters
     * @return the attempt with that waiter
     */
    @CheckReturnValue
    public AcquireContext waiter(Optional<Waiter> waiter) {
        return new AcquireContext(
                name, owner, ttl, startedNanos, previous, lastSeen, holderInfo, releasedRevision, waiter);
    }

    /** {@return the name of the lock} */
    public LockName name() {
        return name;
    }

    /** {@return the owner that asks; the same for every attempt of one acquisition} */
    public Owner owner() {
        return owner;
    }

    /** {@return the length of the lease} */
    public Duration ttl() {
        return ttl;
    }

    /** {@return the time before this attempt's first send, on the client's monotonic clock} */
    public long startedNanos() {
        return startedNanos;
    }

    /** {@return what the previous attempt saw, if the lock was contended then} */
    public Optional<Observation> previous() {
        return previous;
    }

    /**
     * {@return how this client last saw the lock, in this acquisition or an earlier one; it selects the first command}
     */
    public LastKnownState lastSeen() {
        return lastSeen;
    }

    /** {@return the holder information to store for operators} */
    public HolderInfo holderInfo() {
        return holderInfo;
    }

    /**
     * {@return the revision of the lock after the release that the client was notified of, if nothing newer is known
     * of the lock}
     */
    public OptionalLong releasedRevision() {
        return releasedRevision;
    }

    /**
     * {@return the waiter that attempts, and its entry in the list of waiters; empty if the attempt is not repeated,
     * or if there is no list}
     */
    public Optional<Waiter> waiter() {
        return waiter;
    }

    /**
     * Returns the same attempt for a transaction, whose abort would undo a change of the list of waiters.
     *
     * @return the attempt, which leaves the list as it is if it does not acquire the lock
     */
    @CheckReturnValue
    public AcquireContext keepingList() {
        return waiter(waiter.map(listed -> new Waiter(listed.number(), Waiter.Entry.KEEP)));
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

    @Override
    public String toString() {
        return "attempt of " + owner.stored() + " to acquire lock '" + name + "', last seen " + lastSeen + ", previous "
                + previous + ", waiter " + waiter;
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
     * @param unchangedFor the least time for which every attempt saw the same lease of the same holder at the same
     *     revision. It is counted by the client's monotonic clock, from after the first reply that showed it
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
