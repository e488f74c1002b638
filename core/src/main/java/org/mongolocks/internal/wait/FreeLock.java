package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.mongolocks.LockSnapshot;

/**
 * When a lock became free, or will, and its revision then, as far as a fair waiter behind others knows: from the event
 * of a release, or from the end of a lease. If a look at the lock shows the same revision later, nobody has claimed it.
 */
final class FreeLock {
    /** How long each client has to claim the lock. */
    static final Duration CLAIM_EXPECTED = WaitingListEntry.CLAIM_EXPECTED;
    /** How long a held lock is not looked at, for each turn before the waiter. */
    static final Duration CHECK_HOLDER_AFTER = Duration.ofSeconds(3);

    private static final Duration NEVER = Duration.ofDays(1);

    private OptionalLong sinceNanos = OptionalLong.empty();
    private long revision;
    private OptionalLong gaveUpNanos = OptionalLong.empty();
    private OptionalLong unknownSinceNanos = OptionalLong.empty();
    private Duration lookAfter = CLAIM_EXPECTED;

    void released(long releasedRevision, long releasedNanos) {
        set(releasedNanos, releasedRevision);
    }

    /** Records that nothing is known. */
    void forget() {
        sinceNanos = OptionalLong.empty();
        unknownSinceNanos = OptionalLong.empty();
        lookAfter = CLAIM_EXPECTED;
    }

    /** Records that the lock is held, until an unknown time. */
    void held() {
        forget();
        lookAfter = CHECK_HOLDER_AFTER;
    }

    /** Records a reading of the server queue. */
    void queueRead(FairQueueSnapshot queue) {
        if (sinceNanos.isPresent() && queue.isGrantedAfter(sinceNanos.getAsLong())) {
            held();
        }
        gaveUpNanos = queue.gaveUpAfterNanos();
        if (unknownSinceNanos.isEmpty()) {
            unknownSinceNanos = OptionalLong.of(queue.startedNanos());
        }
    }

    /**
     * Records the lock in a reply to a command that began then.
     *
     * @return whether it was free, and has not changed since it became free
     */
    boolean inspected(Optional<LockSnapshot> seen, long startedNanos) {
        long seenRevision = seen.map(LockSnapshot::revision).orElse(0L);
        if (seen.isPresent() && seen.get().isHeld()) {
            held();
            seen.get().remaining().ifPresent(left -> set(startedNanos + left.toNanos(), seenRevision));
            return false;
        }
        boolean isUnchanged = sinceNanos.isPresent() && revision == seenRevision;
        if (!isUnchanged) {
            set(startedNanos, seenRevision);
        }
        return isUnchanged;
    }

    private void set(long freeNanos, long freeRevision) {
        sinceNanos = OptionalLong.of(freeNanos);
        revision = freeRevision;
    }

    /** Returns whether the lock became free, and nothing newer is known. */
    boolean isFree(long nowNanos) {
        return sinceNanos.isPresent() && nowNanos - sinceNanos.getAsLong() >= 0;
    }

    /** Returns how many clients in turn have had the time to claim the lock. */
    long turnsUntil(long nowNanos) {
        return sinceNanos.isPresent() ? Math.max(0, nowNanos - turnsBeginNanos()) / CLAIM_EXPECTED.toNanos() : 0;
    }

    /** Turns begin again when a waiter gives up: one behind it may have waited for its turn. */
    private long turnsBeginNanos() {
        long free = sinceNanos.getAsLong();
        return gaveUpNanos.isPresent() && gaveUpNanos.getAsLong() - free > 0 ? gaveUpNanos.getAsLong() : free;
    }

    /** Returns when to look at the lock: so many turns have passed, and a little more. */
    long lookNanos(long turns, Duration more, long nowNanos) {
        if (sinceNanos.isPresent()) {
            return turnsBeginNanos()
                    + CLAIM_EXPECTED.multipliedBy(turns).plus(more).toNanos();
        }
        return unknownSinceNanos.orElse(nowNanos + NEVER.toNanos())
                + lookAfter.multipliedBy(turns).toNanos();
    }

    /** Returns whether the queue was read since the lock became free. */
    boolean isReadSince(FairQueueSnapshot queue) {
        return sinceNanos.isEmpty() || queue.startedNanos() - sinceNanos.getAsLong() >= 0;
    }
}
