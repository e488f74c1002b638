package org.mongolocks.study.check;

import java.util.Locale;

/**
 * A violation in a history.
 *
 * @param first the earlier grant; 0 if it is not about grants
 * @param second the grant that conflicts with it
 * @param atNanos when it happened
 */
public record Violation(Finding finding, int first, int second, long atNanos) {

    /** A kind of violation. */
    public enum Finding {
        /**
         * Two grants were certainly held at the same time: each lease counts from its request, which is earlier than the
         * server counts it.
         */
        HELD_TWICE,
        /** Two holders believed that they held the lock, at a time when both could act on it. */
        BELIEVED_TWICE,
        /** A write of a holder, after a later holder's use, changed a resource without a fence. */
        STALE_UNFENCED,
        /** Such a write was accepted by a fence that checks writes only. */
        STALE_FENCED,
        /** Such a write was accepted by a fence that also checks reads. */
        STALE_TOUCH_FENCED,
        /** A guarded transaction was committed, although another owner had acquired the lock before. */
        STALE_GUARDED,
        /** A guarded write was reported as committed, and is missing. */
        GUARDED_LOST,
        /** A write was counted at the resource without a fence, and is missing from its value. */
        UPDATE_LOST,
        /** Two grants had the same token. */
        TOKEN_REUSED,
        /** A later grant had a smaller token. */
        TOKEN_WENT_BACK,
        /** A release released the lock of another owner. */
        FOREIGN_RELEASE,
        /**
         * A reentrant lock had the wrong token in one of its acquisitions, or was released before or after its last one.
         */
        MISCOUNTED,
        /** Of two waiters in the queue, the later one got the lock first. */
        OUT_OF_TURN,
        /** Two candidates believed that they led, at a time when both could act on it. */
        LED_TWICE,
        /** Clients that acquire several locks waited for each other, and none worked. */
        STUCK,
        /** Two clients wrote the protected document after reading the same version of it. */
        DOCUMENT_OVERWRITTEN,
        /**
         * An attempt was contended although no other acquisition held the lock, was in progress, or may have been granted
         * it.
         */
        HELD_BY_NOBODY,
        /** After a release with waiters, the next grant came too late. */
        SLOW_HANDOVER,
        /** The lock was not held any more, and could not be acquired. */
        LEAK,
        /** A released lock was granted to its next holder later than the bound of the row. */
        HAND_OVER_LATE,
        /** The server discarded a lock, or a lease ended, and its holder was not notified within the bound of the row. */
        LOSS_NOTICED_LATE,
        /** A client asked for the lock, and was never granted it. */
        STARVED,
        /** A holder with keep-alive lost its lock, although renewals could reach the server. */
        LOCK_LOST,
        /** An acquisition ended with an error in a row without lost messages. */
        ACQUIRE_FAILED,
        /** A holder lost its lock to another, and not even its release said so. */
        LOSS_NOT_TOLD,
        /** Nobody held the lock, and clients that asked for it did not get it, for longer than a lease. */
        LEFT_FREE;

        /** Returns its name in words, for readers. */
        public String words() {
            return name().toLowerCase(Locale.ROOT).replace('_', ' ');
        }
    }
}
