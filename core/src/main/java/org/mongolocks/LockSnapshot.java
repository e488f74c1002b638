package org.mongolocks;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Shows what the server last said about a lock. It is already history when it is read.
 *
 * @param name what is locked
 * @param holder the stored owner ({@link Owner#stored()}), empty when the lock was released
 * @param fencingToken the token of the newest grant, or a later number when the lock was forced free
 * @param revision the number that every change of the lock counts up
 * @param acquiredAt when the newest grant was made, by the server's clock; empty if not stored
 * @param expiresAt when the newest lease ends or ended, by the server's clock; empty in a mode without clocks
 * @param ttl the length of the newest lease
 * @param remaining how much of the lease was left when the server answered; zero if it had ended; empty when the answer
 *     did not tell the server's time
 * @param holderInfo what the holder tells people; nothing when the lock was released
 * @param leaseId a number that is new with each grant and renewal; empty where the strategy stores none
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
        OptionalLong leaseId) {

    /**
     * Shows a lock whose leases are not numbered.
     *
     * @param name what is locked
     * @param holder the stored owner, empty when the lock was released
     * @param fencingToken the token of the newest grant
     * @param revision the number that every change of the lock counts up
     * @param acquiredAt when the newest grant was made
     * @param expiresAt when the newest lease ends or ended
     * @param ttl the length of the newest lease
     * @param remaining how much of the lease was left
     * @param holderInfo what the holder tells people
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
                OptionalLong.empty());
    }

    /**
     * Shows a lock whose holder tells nothing.
     *
     * @param name what is locked
     * @param holder the stored owner, empty when the lock was released
     * @param fencingToken the token of the newest grant
     * @param revision the number that every change of the lock counts up
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
     * Tells whether somebody held the lock, as far as the answer told.
     *
     * @return true if there was a holder whose lease was not seen to have ended
     */
    public boolean isHeld() {
        return holder.isPresent() && !remaining.map(Duration::isZero).orElse(false);
    }

    /**
     * Shows a lock of which nothing is stored.
     *
     * @param name what would be locked
     * @return a snapshot without holder
     */
    public static LockSnapshot unused(LockName name) {
        return new LockSnapshot(
                name, Optional.empty(), 0, 0, Optional.empty(), Optional.empty(), Duration.ZERO, Optional.empty());
    }
}
