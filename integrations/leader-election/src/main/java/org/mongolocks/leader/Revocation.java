package org.mongolocks.leader;

import java.time.Duration;
import java.util.Objects;
import org.mongolocks.LossReason;

/**
 * The end of a term. Immutable.
 *
 * @param reason why the term has ended
 * @param grace how long no other candidate can lead, from the revocation on: the time for the work to end. If the work
 *     has not ended by then the role passes on nevertheless. Zero if another candidate may lead already.
 */
public record Revocation(Reason reason, Duration grace) {
    /**
     * Checks the parts.
     *
     * @param reason why the term has ended
     * @param grace how long no other candidate can lead
     */
    public Revocation {
        Objects.requireNonNull(reason, "The reason is null");
        Objects.requireNonNull(grace, "The grace is null");
    }

    /** The reason why a term has ended. */
    public enum Reason {
        /** No renewal succeeded in time: the lease is about to end, and the grace is what is left of it. */
        LAPSING,
        /** The lease has ended, by this JVM's clock; for example the process was paused. */
        LAPSED,
        /** An operator force-released the lock of the role. */
        FORCED,
        /** Another candidate holds the lock of the role, or its document was changed from outside. */
        TAKEN_OVER,
        /** The lock client was closed. */
        CLIENT_CLOSED,
        /** The leader resigned. */
        RESIGNED,
        /** The leader's work has ended. */
        WORK_ENDED,
        /** The candidacy was closed or cancelled. */
        CLOSED;

        /**
         * Returns the reason for a lost lock.
         *
         * @param loss why the lock was lost
         * @return the reason for the end of the term
         */
        public static Reason of(LossReason loss) {
            return switch (loss) {
                case EXPIRED, RENEWAL_FAILED -> LAPSED;
                case TAKEN_OVER -> TAKEN_OVER;
                case FORCED -> FORCED;
                case CLIENT_CLOSED -> CLIENT_CLOSED;
            };
        }
    }
}
