package org.mongolocks.internal.hold;

import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.mongolocks.LossReason;

/**
 * The state of a held lock in this JVM. A method returns the state after an event, which is the same one if the event
 * changes nothing; a lock that is not held any more is never held again.
 *
 * <pre>
 * state        event                                              next state
 * ----------   ------------------------------------------------   ----------
 * Held         a renewal is sent, or answered                     Held
 *              the lock is found lost                             Lost
 *              a release begins                                   Releasing
 *              a release could not begin                          Unanswered
 * Releasing    the server answers that the lock was held          Released
 *              the server answers that it was not                 Lost
 *              the release fails, or is aborted                   Unanswered
 *              it fails, and the lease had ended before           Lost
 * Unanswered   the caller or the queue of releases repeats it     Releasing
 *              the lease had ended before its first release       Lost
 * Lost         its caller releases it nevertheless                Lost
 * Released     its caller fetches the result of a repetition      Released
 * </pre>
 */
sealed interface HoldState {
    /**
     * A release begins.
     *
     * @param isLeaseOver whether the lease has ended
     * @param repetition what completes at the end of a release without a caller; empty if there is a caller
     */
    HoldState begin(boolean isLeaseOver, Optional<CompletableFuture<Void>> repetition);

    /** A release failed or was aborted. If the lease was alive when it began, its end meanwhile is no loss. */
    HoldState failed(Earlier outcome, boolean isLeaseOver);

    /** The server has answered a release; the reason is that of the loss if the lock was not held. */
    default HoldState answered(boolean wasHeld, LossReason reason) {
        return wasHeld ? new Released(false) : new Lost(reason, LateRelease.ANSWERED);
    }

    /**
     * The lock is held.
     *
     * @param ifOver the reason of the loss if the lease ends now, which a renewal in flight decides
     */
    record Held(LossReason ifOver) implements HoldState {
        static final Held RENEWED = new Held(LossReason.EXPIRED);
        static final Held RENEWING = new Held(LossReason.RENEWAL_FAILED);

        @Override
        public HoldState begin(boolean isLeaseOver, Optional<CompletableFuture<Void>> repetition) {
            return new Releasing(Earlier.NONE, isLeaseOver ? Optional.of(ifOver) : Optional.empty(), repetition);
        }

        @Override
        public HoldState failed(Earlier outcome, boolean isLeaseOver) {
            return new Unanswered(outcome, Optional.empty());
        }
    }

    /**
     * A release is in progress.
     *
     * @param earlier the outcome of those before it
     * @param overBefore the reason of the loss if the lease had ended before the first of them, and the lock is not held
     * @param repetition as for {@link #begin}
     */
    record Releasing(Earlier earlier, Optional<LossReason> overBefore, Optional<CompletableFuture<Void>> repetition)
            implements HoldState {
        @Override
        public HoldState begin(boolean isLeaseOver, Optional<CompletableFuture<Void>> another) {
            return this;
        }

        @Override
        public HoldState answered(boolean wasHeld, LossReason reason) {
            return wasHeld
                    ? new Released(repetition.isPresent())
                    : new Lost(overBefore.orElse(reason), LateRelease.ANSWERED);
        }

        @Override
        public HoldState failed(Earlier outcome, boolean isLeaseOver) {
            return new Unanswered(earlier, overBefore).failed(outcome, isLeaseOver);
        }
    }

    /** The last release failed or was aborted: it may be sent again. */
    record Unanswered(Earlier earlier, Optional<LossReason> overBefore) implements HoldState {
        @Override
        public HoldState begin(boolean isLeaseOver, Optional<CompletableFuture<Void>> repetition) {
            return new Releasing(earlier, overBefore, repetition);
        }

        @Override
        public HoldState failed(Earlier outcome, boolean isLeaseOver) {
            return isLeaseOver && overBefore.isPresent()
                    ? new Lost(overBefore.get(), LateRelease.FAILED)
                    : new Unanswered(earlier.compareTo(outcome) < 0 ? outcome : earlier, overBefore);
        }
    }

    /** The lock is lost; its caller may release it nevertheless. */
    record Lost(LossReason reason, LateRelease release) implements HoldState {
        @Override
        public HoldState begin(boolean isLeaseOver, Optional<CompletableFuture<Void>> repetition) {
            boolean begins = release == LateRelease.NONE || release == LateRelease.FAILED;
            return begins ? new Lost(reason, LateRelease.IN_PROGRESS) : this;
        }

        @Override
        public HoldState answered(boolean wasHeld, LossReason other) {
            return new Lost(reason, LateRelease.ANSWERED);
        }

        @Override
        public HoldState failed(Earlier outcome, boolean isLeaseOver) {
            return release == LateRelease.ANSWERED ? this : new Lost(reason, LateRelease.FAILED);
        }
    }

    /**
     * The lock was held until its release.
     *
     * @param isToReport whether the caller, whose release was repeated without it, has got no result yet
     */
    record Released(boolean isToReport) implements HoldState {
        @Override
        public HoldState begin(boolean isLeaseOver, Optional<CompletableFuture<Void>> repetition) {
            return this;
        }

        @Override
        public HoldState answered(boolean wasHeld, LossReason reason) {
            return this;
        }

        @Override
        public HoldState failed(Earlier outcome, boolean isLeaseOver) {
            return this;
        }
    }

    /** The outcome of the releases of a lock so far. */
    enum Earlier {
        NONE,
        UNANSWERED,
        /** The server may have executed one of them. */
        MAY_BE_EXECUTED
    }

    /** The release of a lock that is lost. */
    enum LateRelease {
        NONE,
        IN_PROGRESS,
        FAILED,
        ANSWERED
    }
}
