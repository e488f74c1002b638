package org.mongolocks;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The stored state of a lock when the server last showed it. It may be outdated when it is read. Immutable: each method
 * that changes something returns another snapshot. A strategy creates it, or a test.
 */
public final class LockSnapshot {
    private final LockName name;
    private final Optional<String> holder;
    private final long token;
    private final long revision;
    private final Optional<Instant> acquiredAt;
    private final Optional<Instant> expiresAt;
    private final Duration ttl;
    private final Optional<Duration> remaining;
    private final HolderInfo holderInfo;
    private final OptionalLong leaseId;
    private final int waiters;

    private LockSnapshot(
            LockName name,
            Optional<String> holder,
            long token,
            long revision,
            Optional<Instant> acquiredAt,
            Optional<Instant> expiresAt,
            Duration ttl,
            Optional<Duration> remaining,
            HolderInfo holderInfo,
            OptionalLong leaseId,
            int waiters) {
        this.name = Objects.requireNonNull(name, "The name of the lock is null");
        this.holder = Objects.requireNonNull(holder, "The holder is null");
        this.token = token;
        this.revision = revision;
        this.acquiredAt = acquiredAt;
        this.expiresAt = expiresAt;
        this.ttl = ttl;
        this.remaining = remaining;
        this.holderInfo = holderInfo;
        this.leaseId = leaseId;
        this.waiters = waiters;
    }

    /**
     * Creates a snapshot of a lock without a lease, about whose holder nothing else is known, and for which nobody waits.
     *
     * @param name the name of the lock
     * @param holder the stored owner; empty when the lock was released
     * @param fencingToken the token of the newest grant
     * @param revision a number that every change of the lock increments
     * @return the snapshot
     */
    public static LockSnapshot of(LockName name, Optional<String> holder, long fencingToken, long revision) {
        return new LockSnapshot(
                name,
                holder,
                fencingToken,
                revision,
                Optional.empty(),
                Optional.empty(),
                Duration.ZERO,
                Optional.empty(),
                HolderInfo.none(),
                OptionalLong.empty(),
                0);
    }

    /**
     * Returns the snapshot of a lock of which nothing is stored.
     *
     * @param name the name of the lock
     * @return a snapshot without holder
     */
    public static LockSnapshot unused(LockName name) {
        return of(name, Optional.empty(), 0, 0);
    }

    /**
     * Returns the same snapshot with the newest lease.
     *
     * @param ttl its length
     * @param acquiredAt when the newest grant was made
     * @param expiresAt when the lease ends or ended
     * @return the snapshot with that lease
     */
    @CheckReturnValue
    public LockSnapshot lease(Duration ttl, Optional<Instant> acquiredAt, Optional<Instant> expiresAt) {
        return new LockSnapshot(
                name, holder, token, revision, acquiredAt, expiresAt, ttl, remaining, holderInfo, leaseId, waiters);
    }

    /**
     * Returns the same snapshot with another rest of the lease.
     *
     * @param remaining how much of the lease was left
     * @return the snapshot with that rest
     */
    @CheckReturnValue
    public LockSnapshot remaining(Optional<Duration> remaining) {
        return new LockSnapshot(
                name, holder, token, revision, acquiredAt, expiresAt, ttl, remaining, holderInfo, leaseId, waiters);
    }

    /**
     * Returns the same snapshot with information about the holder.
     *
     * @param holderInfo the information
     * @return the snapshot with that information
     */
    @CheckReturnValue
    public LockSnapshot holderInfo(HolderInfo holderInfo) {
        return new LockSnapshot(
                name, holder, token, revision, acquiredAt, expiresAt, ttl, remaining, holderInfo, leaseId, waiters);
    }

    /**
     * Returns the same snapshot with a number of the lease.
     *
     * @param leaseId a number that is new with each grant and renewal
     * @return the snapshot with that number
     */
    @CheckReturnValue
    public LockSnapshot leaseId(OptionalLong leaseId) {
        return new LockSnapshot(
                name, holder, token, revision, acquiredAt, expiresAt, ttl, remaining, holderInfo, leaseId, waiters);
    }

    /**
     * Returns the same snapshot with waiters.
     *
     * @param waiters how many waiters are in the list of the lock
     * @return the snapshot with them
     */
    @CheckReturnValue
    public LockSnapshot waiters(int waiters) {
        return new LockSnapshot(
                name, holder, token, revision, acquiredAt, expiresAt, ttl, remaining, holderInfo, leaseId, waiters);
    }

    /**
     * Returns whether the lock was held, as far as the reply shows.
     *
     * @return true if there was a holder whose lease was not known to have ended
     */
    public boolean isHeld() {
        return holder.isPresent() && !remaining.map(Duration::isZero).orElse(false);
    }

    /** {@return the name of the lock} */
    public LockName name() {
        return name;
    }

    /** {@return the stored owner, as {@link Owner#stored()} writes it; empty when the lock was released} */
    public Optional<String> holder() {
        return holder;
    }

    /** {@return the token of the newest grant, or a later number when the lock was force-released} */
    public long fencingToken() {
        return token;
    }

    /** {@return a number that every grant, renewal and release increments} */
    public long revision() {
        return revision;
    }

    /** {@return when the newest grant was made, by the server's clock; empty if not stored} */
    public Optional<Instant> acquiredAt() {
        return acquiredAt;
    }

    /** {@return when the newest lease ends or ended, by the server's clock; empty if the lock was never used} */
    public Optional<Instant> expiresAt() {
        return expiresAt;
    }

    /** {@return the length of the newest lease; zero if the lock was never used} */
    public Duration ttl() {
        return ttl;
    }

    /**
     * {@return how much of the lease was left when the server replied; zero if it had ended; empty when the reply had no
     * server time}
     */
    public Optional<Duration> remaining() {
        return remaining;
    }

    /** {@return the information about the holder; empty when the lock was released} */
    public HolderInfo holderInfo() {
        return holderInfo;
    }

    /** {@return a number that is new with each grant and renewal; empty where the strategy stores none} */
    public OptionalLong leaseId() {
        return leaseId;
    }

    /**
     * {@return how many waiters are in the list of the lock; an attempt may count only the first
     * {@value org.mongolocks.spi.LockStrategy#NOTIFIED_WAITERS}; zero where the strategy keeps no list}
     */
    public int waiters() {
        return waiters;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof LockSnapshot snapshot && parts().equals(snapshot.parts());
    }

    @Override
    public int hashCode() {
        return parts().hashCode();
    }

    @Override
    public String toString() {
        return "LockSnapshot[name=" + name + ", holder=" + holder + ", fencingToken=" + token + ", revision=" + revision
                + ", acquiredAt=" + acquiredAt + ", expiresAt=" + expiresAt + ", ttl=" + ttl + ", remaining="
                + remaining
                + ", holderInfo=" + holderInfo + ", leaseId=" + leaseId + ", waiters=" + waiters + "]";
    }

    private List<Object> parts() {
        return List.of(
                name, holder, token, revision, acquiredAt, expiresAt, ttl, remaining, holderInfo, leaseId, waiters);
    }
}
