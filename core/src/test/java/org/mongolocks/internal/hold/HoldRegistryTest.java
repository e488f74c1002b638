package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.mongolocks.internal.FakeStrategy.fails;
import static org.mongolocks.internal.hold.HoldingLab.MARGIN;
import static org.mongolocks.internal.hold.HoldingLab.TTL;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockEvent;
import org.mongolocks.LockEvent.Kind;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.internal.run.LeaseTimes;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class HoldRegistryTest {
    private static final Duration NEAR = Duration.ofSeconds(2);

    private final HoldingLab lab = new HoldingLab();
    private final List<String> events = new ArrayList<>();

    @Test
    void theEndOfALeaseIsFoundByTheTimer() {
        lab.hold("a", false);

        lab.timer.advance(TTL.minus(MARGIN).minusNanos(1));
        assertThat(lab.told).isEmpty();
        lab.timer.advance(Duration.ofNanos(1));

        assertThat(lab.told).containsExactly(LossReason.EXPIRED);
        assertThat(lab.holds().size()).isZero();
        assertThat(lab.timer.size()).isZero();
    }

    /** Nothing is queued for such a lock: all of them leave one wake-up, which finds none. */
    @Test
    void locksThatAreReleasedSoonTakeOneWakeUp() {
        AtomicInteger scheduled = new AtomicInteger();
        HoldRegistry holds = new HoldRegistry(
                lab.settings(),
                (delay, task) -> {
                    scheduled.incrementAndGet();
                    return lab.timer.schedule(delay, task);
                },
                lab.listeners,
                lab.runner(),
                (name, release) -> release,
                Optional.empty());
        for (int i = 0; i < 100; i++) {
            lab.strategy.releases(Step.done(true));
            long now = lab.lab.time.nanoTime();
            Hold hold = holds.add(LockRequest.of("a", TTL), lab.lab.lease(), now, now)
                    .orElseThrow();
            lab.lab.result(hold.releaseProgram(lab.settings()));
            lab.lab.time.advance(Duration.ofMillis(1));
        }

        lab.timer.advance(TTL);

        assertThat(scheduled).hasValue(1);
        assertThat(lab.strategy.calls).hasSize(100).noneMatch(call -> call.startsWith("renew"));
    }

    @Test
    void aRenewalThatLeavesTheEndNearWarnsNoSecondTime() {
        Hold hold = lab.hold("a", false);
        listen(hold);
        lab.timer.advance(TTL.minus(MARGIN).minus(NEAR.dividedBy(2)));

        hold.markRenewed(hold.lease().validUntilNanos() + NEAR.dividedBy(4).toNanos());
        lab.timer.advance(NEAR.dividedBy(2));

        assertThat(events).hasSize(1);
    }

    @Test
    void aRenewalThatLeavesLittleMoreThanTheWarningIsFollowedByOneInTime() {
        Hold hold = lab.hold("a", false);
        listen(hold);
        lab.timer.advance(TTL.minus(MARGIN).minus(NEAR));
        lab.timer.advance(NEAR.dividedBy(4));

        hold.markRenewed(hold.lease().validUntilNanos() + NEAR.dividedBy(2).toNanos());
        lab.timer.advance(NEAR.dividedBy(4));

        assertThat(events).containsExactly("near PT2S", "near PT2S");
    }

    @Test
    void aHoldOfThisThreadIsFoundByItsNameAndOwner() throws Exception {
        lab.strategy.releases(Step.done(true));
        Hold hold = lab.hold("a", false);
        LockSnapshot own = seen("a", hold.lease().owner().stored());

        assertThat(lab.holds().isHeldByThisThread(own)).isTrue();
        assertThat(lab.holds().isHeldByThisThread(seen("b", hold.lease().owner().stored())))
                .isFalse();
        assertThat(lab.holds().isHeldByThisThread(seen("a", "another owner"))).isFalse();
        assertThat(CompletableFuture.supplyAsync(
                                () -> lab.holds().isHeldByThisThread(own), task -> new Thread(task).start())
                        .get())
                .isFalse();

        lab.lab.result(hold.releaseProgram(lab.settings()));
        assertThat(lab.holds().isHeldByThisThread(own)).isFalse();
    }

    private static LockSnapshot seen(String name, String holder) {
        return LockSnapshot.of(LockName.of(name), Optional.of(holder), 7, 1)
                .lease(TTL, Optional.empty(), Optional.empty())
                .remaining(Optional.of(TTL));
    }

    @Test
    void theWarningComesBeforeTheLossAlsoIfBothAreFoundAtOnce() {
        Hold hold = lab.hold("a", false);
        listen(hold);

        lab.timer.pause(TTL);
        lab.timer.advance(Duration.ZERO);

        assertThat(events).containsExactly("near PT0S", "EXPIRED");
    }

    @Test
    void warningThatIsDueIsSentAtOnce() {
        Hold hold = lab.hold("a", false);
        lab.timer.advance(TTL.minus(MARGIN).minus(NEAR.dividedBy(2)));

        listen(hold);

        assertThat(events).containsExactly("near PT1S");
    }

    @Test
    void aWarningIsWithinTheLease() {
        Hold hold = lab.hold("a", false);

        assertThatIllegalArgumentException().isThrownBy(() -> hold.onEndangered(Duration.ZERO, (lease, left) -> {}));
        assertThatIllegalArgumentException().isThrownBy(() -> hold.onEndangered(TTL, (lease, left) -> {}));
    }

    @Test
    void closingNotifiesTheHoldersAndReleases() {
        lab.strategy.releases(Step.done(true));
        Hold hold = lab.hold("a", true);
        lab.lab.result(lab.hold("b", false).releaseProgram(lab.settings()));

        assertThat(lab.holds().close()).isCompleted();

        assertThat(lab.told).containsExactly(LossReason.CLIENT_CLOSED);
        assertThat(lab.strategy.calls).contains("release a 00000000-0000-0000-0000-000000000001 OptionalLong[7]");
        assertThat(lab.lab.result(hold.releaseProgram(lab.settings())))
                .as("a second release")
                .isFalse();
        lab.timer.advance(TTL);
        assertThat(lab.strategy.calls).hasSize(2);
        assertThat(lab.holds().size()).isZero();
    }

    @Test
    void closingGoesOnAfterAReleaseThatFails() {
        lab.strategy.releases(fails(Fault.REJECTED)).releases(Step.done(true));
        lab.hold("a", false);
        lab.hold("b", false);

        assertThat(lab.holds().close()).isCompleted();

        assertThat(lab.strategy.calls).hasSize(2);
    }

    @Test
    void closingReleasesSeveralTogether() {
        lab.strategy.releasesTogether(Step.done(true));
        lab.strategy.releases(Step.done(true));
        IntStream.range(0, 2 * HoldRegistry.MAX_TOGETHER + 1).forEach(i -> lab.hold("a" + i, false));

        assertThat(lab.holds().close()).isCompleted();

        assertThat(lab.strategy.calls)
                .containsExactly(
                        "release 100",
                        "release 100",
                        "release a200 00000000-0000-0000-0000-000000000001 OptionalLong[7]");
    }

    @Test
    void theObserverLearnsOfTheGrantTheApproachOfTheEndAndTheLoss() {
        List<LockEvent> observed = lab.lab.observe();

        lab.hold("a", false);
        lab.timer.advance(TTL);

        assertThat(observed).extracting(LockEvent::kind).containsExactly(Kind.ACQUIRED, Kind.ENDANGERED, Kind.LOST);
        assertThat(observed).allMatch(event -> event.name().equals(LockName.of("a")));
        assertThat(observed.get(0).waited()).contains(Duration.ZERO);
        assertThat(observed.get(2).held()).contains(TTL.minus(MARGIN));
        assertThat(observed.get(2).lossReason()).contains(LossReason.EXPIRED);
    }

    @Test
    void theObserverLearnsOfARenewalAReleaseThatFailsAndOneThatDoesNot() {
        List<LockEvent> observed = lab.lab.observe();
        lab.strategy.releases(fails(Fault.REJECTED)).releases(Step.done(true));
        Hold hold = lab.hold("a", false);

        renew(hold);
        lab.lab.run(hold.releaseProgram(lab.settings()));
        lab.lab.run(hold.releaseProgram(lab.settings()));

        assertThat(observed)
                .extracting(LockEvent::kind)
                .containsExactly(Kind.ACQUIRED, Kind.RENEWED, Kind.RELEASE_FAILED, Kind.RELEASED);
    }

    @Test
    void theObserverLearnsOnceOfALossThatTheReleaseFinds() {
        List<LockEvent> observed = lab.lab.observe();
        lab.strategy.releases(Step.done(false));
        Hold hold = lab.hold("a", false);

        lab.lab.run(hold.releaseProgram(lab.settings()));
        lab.timer.advance(TTL);

        assertThat(observed).extracting(LockEvent::kind).containsExactly(Kind.ACQUIRED, Kind.LOST);
    }

    @Test
    void closingKeepsALockHeldForItsMinimum() {
        lab.strategy.releasesTogether(Step.done(true)).releases(Step.done(true));
        lab.hold("a", false);
        lab.hold("b", false);
        lab.hold("c", false).holdAtLeast(Duration.ofSeconds(5));

        assertThat(lab.holds().close()).isCompleted();

        assertThat(lab.strategy.calls).containsExactlyInAnyOrder("release 2", "release c after PT5.002S");
    }

    @Test
    void afterAFaultClosingReleasesSeveralTogetherOnceMore() {
        lab.strategy.releasesTogether(fails(Fault.AMBIGUOUS)).releasesTogether(Step.done(false));
        lab.hold("a", false);
        lab.hold("b", false);

        assertThat(lab.holds().close()).isCompleted();

        assertThat(lab.strategy.calls).containsExactly("release 2", "release 2");
    }

    @Test
    void closingReleasesOneByOneWhatCannotBeReleasedTogether() {
        lab.strategy.releasesTogether(fails(Fault.REJECTED)).releases(Step.done(true));
        lab.hold("a", false);
        lab.hold("b", false);

        assertThat(lab.holds().close()).isCompleted();

        assertThat(lab.strategy.calls).hasSize(3).startsWith("release 2");
    }

    @Test
    void aLockWithAnOpenTransactionDelaysNoOther() {
        lab.strategy.releasesTogether(Step.done(true)).releases(Step.done(true));
        lab.hold("a", false);
        Hold guarding = lab.hold("b", false);
        lab.hold("c", false);
        assertThat(guarding.gate().close(guarding.lease().name())).isCompleted();

        assertThat(lab.holds().close()).isCompleted();

        assertThat(lab.strategy.calls)
                .containsExactlyInAnyOrder(
                        "release 2", "release b 00000000-0000-0000-0000-000000000001 OptionalLong[7]");
    }

    @Test
    void drainingClientGrantsNothingAndKeepsItsHeldLocks() {
        Hold hold = lab.hold("a", true);

        CompletableFuture<Void> drained = lab.holds().drain();

        assertThat(drained).isNotDone();
        assertThat(lab.holds()
                        .add(
                                LockRequest.of("b", TTL).fixedLease(),
                                lab.lab.lease(),
                                lab.lab.time.nanoTime(),
                                lab.lab.time.nanoTime()))
                .isEmpty();
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(lab.holds()::requireOpen);
        assertThat(hold.isHeld()).isTrue();
        assertThat(lab.told).isEmpty();
    }

    @Test
    void aClientIsDrainedWhenItsLastLockIsReleasedOrLost() {
        lab.strategy.releases(Step.done(true));
        Hold released = lab.hold("a", false);
        Hold lost = lab.hold("b", false);
        CompletableFuture<Void> drained = lab.holds().drain();

        lab.lab.result(released.releaseProgram(lab.settings()));
        assertThat(drained).isNotDone();
        lost.markLost(LossReason.FORCED);

        assertThat(drained).isCompleted();
    }

    @Test
    void holdersAreNotifiedBeforeTheirLocksAreReleased() {
        lab.hold("a", true);

        List<Hold> last = lab.holds().end().orElseThrow();

        assertThat(lab.told).containsExactly(LossReason.CLIENT_CLOSED);
        assertThat(lab.strategy.calls).isEmpty();
        lab.strategy.releases(Step.done(true));
        assertThat(lab.holds().release(last, Lab.CLOSE_TIMEOUT)).isCompleted();
        assertThat(lab.strategy.calls).hasSize(1);
    }

    @Test
    void aSecondCloseCompletesWithTheReleasesOfTheFirst() {
        lab.strategy.releases(Step.done(true));
        lab.hold("a", false);
        lab.delays = true;

        CompletableFuture<Void> first = lab.holds().close();
        CompletableFuture<Void> second = lab.holds().close();

        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
        lab.answer();
        assertThat(first).isCompleted();
        assertThat(second).isCompleted();
        assertThat(lab.strategy.calls).hasSize(1);
    }

    @Test
    void forgottenHandleThatCannotBeReportedLeavesTheLockToTheOtherHandles() {
        Hold hold = lab.hold("a", true);
        lab.beforeSending = () -> {
            throw new IllegalStateException("no session, for a test");
        };

        hold.forgotten(new Hold.ForgottenHandle("", false, () -> {}));
        lab.timer.advance(Duration.ZERO);

        assertThat(hold.isHeld()).isTrue();
    }

    @Test
    void shutDownExecutorOfListenersDoesNoHarm() {
        lab.listeners = task -> {
            throw new RejectedExecutionException("ended, for a test");
        };
        lab.strategy.renews(Step.done(new Renewal.Lost(LossReason.FORCED)));
        Hold hold = lab.hold("a", true);

        lab.timer.advance(TTL);

        assertThat(hold.loss()).contains(LossReason.FORCED);
        assertThat(lab.holds().size()).isZero();
    }

    private void listen(Hold hold) {
        hold.onEndangered(NEAR, (lease, left) -> events.add("near " + left));
        hold.onLost((lease, reason) -> events.add(reason.name()));
    }

    private void renew(Hold hold) {
        hold.markRenewed(LeaseTimes.renewed(
                        hold.lease(),
                        lab.lab.time.nanoTime() - MARGIN.toNanos(),
                        hold.lease().ttl())
                .validUntilNanos());
    }
}
