package org.mongolocks;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The stored state of a lock when the server last showed it. It may be outdated when it is read. Immutable.
 *
 * @param name the name of the lock
 * @param holder the stored owner ({@link Owner#stored()}), empty when the lock was released
 * @param fencingToken the token of the newest grant, or a later number when the lock was force-released
 * @param revision a number that every grant, renewal and release increments
 * @param acquiredAt when the newest grant was made, by the server's clock; empty if not stored
 * @param expiresAt when the newest lease ends or ended, by the server's clock; empty if the lock was never used
 * @param ttl the length of the newest lease
 * @param remaining how much of the lease was left when the server replied; zero if it had ended; empty when the reply
 *     had no server time
 * @param holderInfo the information about the holder; empty when the lock was released
 * @param leaseId a number that is new with each grant and renewal; empty where the strategy stores none
 * @param waiters how many waiters are in the list of the lock; an attempt may count only the first
 *     {@value org.mongolocks.spi.LockStrategy#NOTIFIED_WAITERS}; zero where the strategy keeps no list
 */
public record LockSnapshot(
        LockName name,
        Optional<String> holder,
        long fencingToken,
        long revision,
        Optional<Instant> acquiredAt,
        Optional<Instant> expiresAt,
        Duration ttl,
        Optional<Duration> remaining,
        HolderInfo holderInfo,
        OptionalLong leaseId,
        int waiters) {

    /**
     * Creates a snapshot of a lock whose leases are not numbered, and for which nobody waits.
     *
     * @param name the name of the lock
     * @param holder the stored owner, empty when the lock was released
     * @param fencingToken the token of the newest grant
     * @param revision a number that every change of the lock increments
     * @param acquiredAt when the newest grant was made
     * @param expiresAt when the newest lease ends or ended
     * @param ttl the length of the newest lease
     * @param remaining how much of the lease was left
     * @param holderInfo the information about the holder
     */
    public LockSnapshot(
            LockName name,
            Optional<String> holder,
            long fencingToken,
            long revision,
            Optional<Instant> acquiredAt,
            Optional<Instant> expiresAt,
            Duration ttl,
            Optional<Duration> remaining,
            HolderInfo holderInfo) {
        this(
                name,
                holder,
                fencingToken,
                revision,
                acquiredAt,
                expiresAt,
                ttl,
                remaining,
                holderInfo,
                OptionalLong.empty(),
                0);
    }

    /**
     * Creates a snapshot of a lock without information about its holder.
     *
     * @param name the name of the lock
     * @param holder the stored owner, empty when the lock was released
     * @param fencingToken the token of the newest grant
     * @param revision a number that every change of the lock increments
     * @param acquiredAt when the newest grant was made
     * @param expiresAt when the newest lease ends or ended
     * @param ttl the length of the newest lease
     * @param remaining how much of the lease was left
     */
    public LockSnapshot(
            LockName name,
            Optional<String> holder,
            long fencingToken,
            long revision,
            Optional<Instant> acquiredAt,
            Optional<Instant> expiresAt,
            Duration ttl,
            Optional<Duration> remaining) {
        this(name, holder, fencingToken, revision, acquiredAt, expiresAt, ttl, remaining, HolderInfo.none());
    }

    /**
     * Returns whether the lock was held, as far as the reply shows.
     *
     * @return true if there was a holder whose lease was not known to have ended
     */
    public boolean isHeld() {
        return holder.isPresent() && !remaining.map(Duration::isZero).orElse(false);
    }

    /**
     * Returns the snapshot of a lock of which nothing is stored.
     *
     * @param name the name of the lock
     * @return a snapshot without holder
     */
    public static LockSnapshot unused(LockName name) {
        return new LockSnapshot(
                name, Optional.empty(), 0, 0, Optional.empty(), Optional.empty(), Duration.ZERO, Optional.empty());
    }
}
