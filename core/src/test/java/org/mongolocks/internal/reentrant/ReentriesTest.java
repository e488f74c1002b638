package org.mongolocks.internal.reentrant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.mongolocks.internal.reentrant.Visit.Entrance.CONTENDED;
import static org.mongolocks.internal.reentrant.Visit.Entrance.ENTERED;
import static org.mongolocks.internal.reentrant.Visit.Entrance.TO_BE_ACQUIRED;

import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldingLab;
import org.mongolocks.internal.wait.ChangeFeed;
import org.mongolocks.internal.wait.WaitingRoom;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.Renewal;
import org.mongolocks.spi.Step;

class ReentriesTest {
    private static final LockName NAME = LockName.of("a");
    private static final LockRequest ONCE = LockRequest.of("a", HoldingLab.TTL);
    private static final LockRequest PATIENT = ONCE.waitAtMost(Duration.ofSeconds(5));

    private final HoldingLab lab = new HoldingLab();
    private final Reentries reentries =
            new Reentries(lab.settings(), lab.holds(), new WaitingRoom(lab.settings(), ChangeFeed.none()));

    @Test
    void whatIsNotHeldIsToBeAcquired() {
        assertThat(enter("me", ONCE)).isEqualTo(TO_BE_ACQUIRED);
        assertThat(reentries.count("me", NAME)).isZero();
    }

    @Test
    void whoHoldsItEntersAgainAtOnce() {
        Hold hold = acquired("me", ONCE);
        Visit again = reentries.visit("me", ONCE);

        assertThat(again.start()).isEqualTo(Step.done(ENTERED));

        assertThat(again.hold()).isSameAs(hold);
        assertThat(reentries.count("me", NAME)).isEqualTo(2);
    }

    @Test
    void anotherOwnerAndAnotherNameAreNotEntered() {
        acquired("me", ONCE);

        assertThat(enter("you", ONCE)).isEqualTo(TO_BE_ACQUIRED);
        assertThat(enter("me", LockRequest.of("b", HoldingLab.TTL))).isEqualTo(TO_BE_ACQUIRED);
    }

    @Test
    @SuppressWarnings("NullAway") // Simulates callers without null checks.
    void nobodyIsNoOwner() {
        assertThatNullPointerException().isThrownBy(() -> enter(null, ONCE)).withMessage("The owner is null");
    }

    @Test
    void theLastShareReleasesTheLock() {
        Visit first = reentries.visit("me", ONCE);
        first.start();
        Share one = first.acquired(lab.hold("a", false));
        Visit second = reentries.visit("me", ONCE);
        second.start();

        assertThat(one.giveBack()).isEqualTo(Share.Part.ONE_OF_SEVERAL);
        assertThat(one.giveBack()).isEqualTo(Share.Part.GIVEN_BACK);
        assertThat(one.isGivenBack()).isTrue();
        assertThat(second.share().giveBack()).isEqualTo(Share.Part.LAST);
        assertThat(second.share().giveBack())
                .as("again, if the release has failed")
                .isEqualTo(Share.Part.LAST);
        second.share().released();
        assertThat(reentries.size()).isZero();
    }

    @Test
    void whoComesWhileItIsReleasedWaitsForThatAndAcquiresItAnew() {
        Visit first = reentries.visit("me", ONCE);
        first.start();
        Share share = first.acquired(lab.hold("a", false));
        share.giveBack();
        assertThat(enter("me", ONCE)).isEqualTo(CONTENDED);

        Visit next = reentries.visit("me", PATIENT);
        Step.Pause<Visit.Entrance> waiting = (Step.Pause<Visit.Entrance>) next.start();
        assertThat(waiting.wakeUp().orElseThrow()).isNotDone();
        share.released();

        assertThat(waiting.wakeUp().orElseThrow()).isDone();
        assertThat(waiting.then().get()).isEqualTo(Step.done(TO_BE_ACQUIRED));
    }

    @Test
    void whoComesWhileItIsAskedForWaitsAndEnters() {
        Visit first = reentries.visit("me", ONCE);
        first.start();
        Visit second = reentries.visit("me", PATIENT);
        Step.Pause<Visit.Entrance> waiting = (Step.Pause<Visit.Entrance>) second.start();
        assertThat(waiting.delay()).isEqualTo(Duration.ofSeconds(5));

        Hold hold = lab.hold("a", false);
        first.acquired(hold);

        assertThat(waiting.wakeUp().orElseThrow()).isDone();
        assertThat(waiting.then().get()).isEqualTo(Step.done(ENTERED));
        assertThat(second.hold()).isSameAs(hold);
        assertThat(reentries.count("me", NAME)).isEqualTo(2);
    }

    @Test
    void whenItIsNotAcquiredOneOfThoseWhoWaitAsks() {
        Visit first = reentries.visit("me", ONCE);
        first.start();
        Visit second = reentries.visit("me", PATIENT);
        Visit third = reentries.visit("me", PATIENT);
        Step.Pause<Visit.Entrance> secondWaits = (Step.Pause<Visit.Entrance>) second.start();
        Step.Pause<Visit.Entrance> thirdWaits = (Step.Pause<Visit.Entrance>) third.start();

        first.end();
        lab.lab.time.advance(Duration.ofSeconds(2));

        assertThat(secondWaits.then().get()).isEqualTo(Step.done(TO_BE_ACQUIRED));
        assertThat(second.rest().waitAtMost()).isEqualTo(Duration.ofSeconds(3));
        assertThat(thirdWaits.then().get()).isInstanceOf(Step.Pause.class);
    }

    @Test
    void whoWaitsForItselfGivesUpAtItsDeadline() {
        reentries.visit("me", ONCE).start();

        assertThat(lab.lab.result(reentries.visit("me", PATIENT).start())).isEqualTo(CONTENDED);
        assertThat(lab.lab.pauses).containsExactly(Duration.ofSeconds(5));
    }

    @Test
    void aVisitThatEndedAfterItAcquiredChangesNothing() {
        Visit first = reentries.visit("me", ONCE);
        first.start();
        first.acquired(lab.hold("a", false));

        first.end();
        first.end();

        assertThat(reentries.count("me", NAME)).isEqualTo(1);
    }

    @Test
    void aLossEndsTheEntry() {
        Hold lost = acquired("me", ONCE);
        enter("me", ONCE);

        lost.lost(LossReason.FORCED);

        assertThat(reentries.size()).isZero();
        assertThat(reentries.count("me", NAME)).isZero();
        assertThat(enter("me", ONCE)).isEqualTo(TO_BE_ACQUIRED);
    }

    @Test
    void theEndOfTheLeaseEndsTheEntryWithoutAnybodyAsking() {
        acquired("me", ONCE);

        lab.timer.advance(HoldingLab.TTL);

        assertThat(reentries.size()).isZero();
    }

    @Test
    void anEndedLeaseIsNotEnteredAlsoIfNobodyWasToldYet() {
        acquired("me", ONCE);

        lab.timer.pause(HoldingLab.TTL);

        assertThat(reentries.count("me", NAME)).isZero();
        assertThat(enter("me", ONCE)).isEqualTo(TO_BE_ACQUIRED);
    }

    @Test
    void theOldSharesLeaveTheNextGrantAlone() {
        Visit first = reentries.visit("me", ONCE);
        first.start();
        Hold lost = lab.hold("a", false);
        Share old = first.acquired(lost);
        lost.lost(LossReason.TAKEN_OVER);
        acquired("me", ONCE);

        assertThat(old.giveBack()).isEqualTo(Share.Part.LAST);
        old.released();

        assertThat(reentries.count("me", NAME)).isEqualTo(1);
    }

    @Test
    void aGrantThatIsLostBeforeItIsTakenInLeavesNoEntry() {
        Visit first = reentries.visit("me", ONCE);
        first.start();
        Hold hold = lab.hold("a", false);
        hold.lost(LossReason.EXPIRED);

        first.acquired(hold);

        assertThat(reentries.size()).isZero();
    }

    @Test
    void anEntryWithKeepAliveKeepsTheLockAliveUntilItIsGivenBack() {
        lab.strategy.renews(Step.done(new Renewal.Renewed()));
        Hold hold = acquired("me", ONCE);

        enter("me", ONCE.keepAlive());
        enter("me", ONCE.keepAlive());
        lab.timer.advance(HoldingLab.TTL.multipliedBy(3));

        assertThat(hold.isHeld()).isTrue();
        assertThat(lab.strategy.calls).containsOnly("renew").hasSize(10);
    }

    @Test
    void whatWasEnteredForNobodyIsLeft() {
        acquired("me", ONCE);
        Visit again = reentries.visit("me", ONCE);
        again.start();
        assertThat(again.mayHold()).isTrue();

        assertThat(again.takeBack()).isEqualTo(Step.done(true));

        assertThat(reentries.count("me", NAME)).isEqualTo(1);
    }

    @Test
    void theLastThatWasEnteredForNobodyReleasesTheLock() {
        lab.strategy.releases(Step.done(true));
        Visit first = reentries.visit("me", ONCE);
        first.start();
        Share one = first.acquired(lab.hold("a", false));
        Visit again = reentries.visit("me", ONCE);
        again.start();
        one.giveBack();

        assertThat(again.takeBack()).isEqualTo(Step.done(true));

        assertThat(reentries.size()).isZero();
        assertThat(lab.holds().size()).isZero();
    }

    @Test
    void aReleaseThatFailsLeavesNoEntry() {
        lab.strategy.releases(FakeStrategy.fails(Fault.REJECTED));
        Visit first = reentries.visit("me", ONCE);
        first.start();
        Share one = first.acquired(lab.hold("a", false));
        Visit again = reentries.visit("me", ONCE);
        again.start();
        one.giveBack();

        assertThat(again.takeBack()).isInstanceOf(Step.Fail.class);

        assertThat(reentries.size()).isZero();
    }

    private Hold acquired(Object owner, LockRequest request) {
        Visit visit = reentries.visit(owner, request);
        assertThat(visit.start()).isEqualTo(Step.done(TO_BE_ACQUIRED));
        Hold hold = lab.hold(request.name().value(), false);
        visit.acquired(hold);
        return hold;
    }

    private Visit.Entrance enter(Object owner, LockRequest request) {
        return lab.lab.result(reentries.visit(owner, request).start());
    }
}
