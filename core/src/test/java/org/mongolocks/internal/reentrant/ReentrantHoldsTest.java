package org.mongolocks.internal.reentrant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.mongolocks.internal.reentrant.ReentrantAcquisition.Outcome.CONTENDED;
import static org.mongolocks.internal.reentrant.ReentrantAcquisition.Outcome.TO_BE_ACQUIRED;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldingLab;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class ReentrantHoldsTest {
    private static final LockName NAME = LockName.of("a");
    private static final LockRequest ONCE = LockRequest.of("a", HoldingLab.TTL).fixedLease();
    private static final LockRequest PATIENT = ONCE.waitAtMost(Duration.ofSeconds(5));

    private final HoldingLab lab = new HoldingLab();
    private final ReentrantHolds reentries = new ReentrantHolds(lab.settings(), lab.holds());

    @Test
    void nullIsNoOwner() {
        assertThatNullPointerException().isThrownBy(() -> enter(null, ONCE)).withMessage("The owner is null");
    }

    @Test
    void theLastShareReleasesTheLock() {
        ReentrantAcquisition first = reentries.acquisition("me", ONCE);
        first.start();
        HoldReference one = first.acquired(lab.hold("a", false));
        ReentrantAcquisition second = reentries.acquisition("me", ONCE);
        second.start();

        assertThat(one.release()).isEqualTo(HoldReference.ReleaseAction.ONE_OF_SEVERAL);
        assertThat(one.release()).isEqualTo(HoldReference.ReleaseAction.RELEASED);
        assertThat(one.isReleased()).isTrue();
        assertThat(second.share().release()).isEqualTo(HoldReference.ReleaseAction.LAST);
        assertThat(second.share().release())
                .as("again, if the release has failed")
                .isEqualTo(HoldReference.ReleaseAction.LAST);
        second.share().released();
        assertThat(reentries.size()).isZero();
    }

    @Test
    void entryDuringAReleaseWaitsForItAndAcquiresTheLockAgain() {
        ReentrantAcquisition first = reentries.acquisition("me", ONCE);
        first.start();
        HoldReference share = first.acquired(lab.hold("a", false));
        share.release();
        assertThat(enter("me", ONCE)).isEqualTo(CONTENDED);

        ReentrantAcquisition next = reentries.acquisition("me", PATIENT);
        Step.Pause<ReentrantAcquisition.Outcome> waiting = (Step.Pause<ReentrantAcquisition.Outcome>) next.start();
        assertThat(waiting.wakeUp().orElseThrow()).isNotDone();
        share.released();

        assertThat(waiting.wakeUp().orElseThrow()).isDone();
        assertThat(waiting.then().get()).isEqualTo(Step.done(TO_BE_ACQUIRED));
    }

    @Test
    void oneWaiterAcquiresWhenTheFirstAcquisitionFails() {
        ReentrantAcquisition first = reentries.acquisition("me", ONCE);
        first.start();
        ReentrantAcquisition second = reentries.acquisition("me", PATIENT);
        ReentrantAcquisition third = reentries.acquisition("me", PATIENT);
        Step.Pause<ReentrantAcquisition.Outcome> secondWaits =
                (Step.Pause<ReentrantAcquisition.Outcome>) second.start();
        Step.Pause<ReentrantAcquisition.Outcome> thirdWaits = (Step.Pause<ReentrantAcquisition.Outcome>) third.start();

        first.end();
        lab.lab.time.advance(Duration.ofSeconds(2));

        assertThat(secondWaits.then().get()).isEqualTo(Step.done(TO_BE_ACQUIRED));
        assertThat(second.remainingRequest().waitAtMost()).isEqualTo(Duration.ofSeconds(3));
        assertThat(thirdWaits.then().get()).isInstanceOf(Step.Pause.class);
    }

    @Test
    void waitForTheOwnAcquisitionEndsAtItsDeadline() {
        reentries.acquisition("me", ONCE).start();

        assertThat(lab.lab.result(reentries.acquisition("me", PATIENT).start())).isEqualTo(CONTENDED);
        assertThat(lab.lab.pauses).containsExactly(Duration.ofSeconds(5));
    }

    @Test
    void aVisitThatEndedAfterItAcquiredChangesNothing() {
        ReentrantAcquisition first = reentries.acquisition("me", ONCE);
        first.start();
        first.acquired(lab.hold("a", false));

        first.end();
        first.end();

        assertThat(reentries.count("me", NAME)).isEqualTo(1);
    }

    @Test
    void endedLeaseIsNotReenteredBeforeTheLossIsReported() {
        acquired("me", ONCE);

        lab.timer.pause(HoldingLab.TTL);

        assertThat(reentries.count("me", NAME)).isZero();
        assertThat(enter("me", ONCE)).isEqualTo(TO_BE_ACQUIRED);
    }

    @Test
    void earlierReferencesDoNotAffectTheNextGrant() {
        ReentrantAcquisition first = reentries.acquisition("me", ONCE);
        first.start();
        Hold lost = lab.hold("a", false);
        HoldReference old = first.acquired(lost);
        lost.markLost(LossReason.TAKEN_OVER);
        acquired("me", ONCE);

        assertThat(old.release()).isEqualTo(HoldReference.ReleaseAction.LAST);
        old.released();

        assertThat(reentries.count("me", NAME)).isEqualTo(1);
    }

    @Test
    void grantLostBeforeItsRegistrationLeavesNoEntry() {
        ReentrantAcquisition first = reentries.acquisition("me", ONCE);
        first.start();
        Hold hold = lab.hold("a", false);
        hold.markLost(LossReason.EXPIRED);

        first.acquired(hold);

        assertThat(reentries.size()).isZero();
    }

    @Test
    void anEntryWithKeepAliveKeepsTheLockAliveUntilItIsReleased() {
        lab.strategy.renews(Step.done(new Renewal.Renewed()));
        Hold hold = acquired("me", ONCE);

        enter("me", LockRequest.of("a", HoldingLab.TTL));
        enter("me", LockRequest.of("a", HoldingLab.TTL));
        lab.timer.advance(HoldingLab.TTL.multipliedBy(3));

        assertThat(hold.isHeld()).isTrue();
        assertThat(lab.strategy.calls).containsOnly("renew").hasSize(10);
    }

    @Test
    void reentryThatNoCallerReceivedIsUndone() {
        acquired("me", ONCE);
        ReentrantAcquisition again = reentries.acquisition("me", ONCE);
        again.start();
        assertThat(again.needsCompensation()).isTrue();

        assertThat(again.compensate()).isEqualTo(Step.done(true));

        assertThat(reentries.count("me", NAME)).isEqualTo(1);
    }

    @Test
    void lastReentryThatNoCallerReceivedReleasesTheLock() {
        lab.strategy.releases(Step.done(true));
        ReentrantAcquisition first = reentries.acquisition("me", ONCE);
        first.start();
        HoldReference one = first.acquired(lab.hold("a", false));
        ReentrantAcquisition again = reentries.acquisition("me", ONCE);
        again.start();
        one.release();

        assertThat(again.compensate()).isEqualTo(Step.done(true));

        assertThat(reentries.size()).isZero();
        assertThat(lab.holds().size()).isZero();
    }

    @Test
    void aReleaseThatFailsLeavesNoEntry() {
        lab.strategy.releases(FakeStrategy.fails(Fault.REJECTED));
        ReentrantAcquisition first = reentries.acquisition("me", ONCE);
        first.start();
        HoldReference one = first.acquired(lab.hold("a", false));
        ReentrantAcquisition again = reentries.acquisition("me", ONCE);
        again.start();
        one.release();

        assertThat(again.compensate()).isInstanceOf(Step.Fail.class);

        assertThat(reentries.size()).isZero();
    }

    private Hold acquired(Object owner, LockRequest request) {
        ReentrantAcquisition visit = reentries.acquisition(owner, request);
        assertThat(visit.start()).isEqualTo(Step.done(TO_BE_ACQUIRED));
        Hold hold = lab.hold(request.name().value(), false);
        visit.acquired(hold);
        return hold;
    }

    private ReentrantAcquisition.Outcome enter(Object owner, LockRequest request) {
        return lab.lab.result(reentries.acquisition(owner, request).start());
    }
}
