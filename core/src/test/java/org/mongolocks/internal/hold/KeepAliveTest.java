package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.mongolocks.internal.FakeStrategy.fails;
import static org.mongolocks.internal.FakeStrategy.timesOut;
import static org.mongolocks.internal.hold.HoldingLab.BACKOFF;
import static org.mongolocks.internal.hold.HoldingLab.MARGIN;
import static org.mongolocks.internal.hold.HoldingLab.PERIOD;
import static org.mongolocks.internal.hold.HoldingLab.TTL;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoException;
import com.mongodb.ServerAddress;
import com.mongodb.bulk.BulkWriteError;
import com.mongodb.bulk.BulkWriteResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockName;
import org.mongolocks.LossReason;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.run.DeadlineQueue;
import org.mongolocks.internal.run.LeaseTimes;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.LockStrategy.Renewal;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

class KeepAliveTest {
    private static final Step<Renewal> RENEWED = Step.done(new Renewal.Renewed());
    private static final Step<Renewal> LOST = Step.done(new Renewal.Lost(LossReason.TAKEN_OVER));

    private final HoldingLab lab = new HoldingLab();
    private final DeadlineQueue deadlines = new DeadlineQueue(lab.timer, lab.lab.time);

    /** A driver's client that is closed may be replaced below a proxy. */
    @Test
    void renewalsGoOnWhenTheDriversClientIsClosedUntilTheLeaseEnds() {
        lab.strategy
                .renews(new Step.Fail<>(closed()))
                .renews(new Step.Fail<>(closed()))
                .renews(RENEWED);
        Hold hold = lab.hold("a", true);

        lab.timer.advance(TTL);
        assertThat(hold.isHeld()).isTrue();
        lab.strategy.renews(new Step.Fail<>(closed()));
        lab.timer.advance(TTL.multipliedBy(2));

        assertThat(hold.loss()).contains(LossReason.RENEWAL_FAILED);
        assertThat(lab.timer.size()).isZero();
    }

    private static Reply.Failed closed() {
        return new ClientRuns(new Lab().settings(new FakeStrategy()), new ConnectionShortage(() -> 0))
                .driverClosed(LockTask.withoutLock("A program"), new IllegalStateException());
    }

    @Test
    void aLockIsRenewedEachThirdOfItsLease() {
        lab.strategy.renews(RENEWED);
        Hold hold = lab.hold("a", true);

        lab.timer.advance(PERIOD.multipliedBy(30));

        assertThat(lab.strategy.calls).hasSize(30).containsOnly("renew");
        assertThat(hold.remaining()).isEqualTo(TTL.minus(MARGIN));
        assertThat(lab.told).isEmpty();
    }

    @Test
    void aLimitEndsTheRenewalsSoThatTheLastLeaseEndsByThen() {
        lab.strategy.renews(RENEWED);
        Hold hold = lab.hold("a", false);
        lab.holds().keepAlive(hold, Optional.of(TTL.plus(PERIOD.multipliedBy(2))));

        lab.timer.advance(PERIOD.multipliedBy(5).minusNanos(1));
        assertThat(lab.strategy.calls).as("a third would end after the limit").containsExactly("renew", "renew");
        assertThat(hold.isKeptAlive()).isFalse();
        assertThat(hold.isHeld()).isTrue();

        lab.timer.advance(Duration.ofNanos(1));
        assertThat(lab.told).containsExactly(LossReason.EXPIRED);
    }

    @Test
    void theLaterOfTwoLimitsIsInForceAndNoneIsTheLatest() {
        lab.strategy.renews(RENEWED);
        Hold hold = lab.hold("a", false);
        lab.holds().keepAlive(hold, Optional.of(TTL.plus(PERIOD)));
        lab.holds().keepAlive(hold, Optional.of(TTL));
        lab.timer.advance(PERIOD);
        assertThat(lab.strategy.calls).hasSize(1);

        lab.holds().keepAlive(hold, Optional.empty());
        lab.holds().keepAlive(hold, Optional.of(TTL));
        lab.timer.advance(PERIOD.multipliedBy(10));

        assertThat(lab.strategy.calls).hasSize(11);
        assertThat(hold.isKeptAlive()).isTrue();
    }

    @Test
    void aLockWhoseLimitWasReachedIsKeptAliveAgainOnRequest() {
        lab.strategy.renews(RENEWED);
        Hold hold = lab.hold("a", false);
        lab.holds().keepAlive(hold, Optional.of(TTL));
        lab.timer.advance(PERIOD);
        assertThat(hold.isKeptAlive()).isFalse();

        lab.holds().keepAlive(hold, Optional.empty());
        lab.timer.advance(PERIOD.multipliedBy(10));

        assertThat(hold.isHeld()).isTrue();
    }

    @ParameterizedTest
    @EnumSource(Fault.class)
    void faultKeepsTheEndOfTheLeaseAndTheRenewalIsRetried(Fault fault) {
        lab.strategy.renews(fails(fault)).renews(fails(fault)).renews(RENEWED);
        Hold hold = lab.hold("a", true);
        long end = hold.lease().validUntilNanos();

        lab.timer.advance(PERIOD.plus(BACKOFF));
        assertThat(lab.strategy.calls).hasSize(2);
        assertThat(hold.lease().validUntilNanos()).isEqualTo(end);
        lab.timer.advance(BACKOFF);

        assertThat(lab.strategy.calls).hasSize(3);
        assertThat(hold.remaining()).isEqualTo(TTL.minus(MARGIN));
    }

    @Test
    void allIsRenewedSoonWhenTheServerMayHaveLostIt() {
        lab.strategy.renews(RENEWED).renews(LOST);
        Hold kept = lab.hold("a", true);
        Hold plain = lab.hold("b", false);
        lab.timer.advance(PERIOD.dividedBy(2));

        lab.holds().renewSoon();
        lab.timer.advance(BACKOFF);

        assertThat(lab.strategy.calls).hasSize(1);
        assertThat(kept.remaining()).isEqualTo(TTL.minus(MARGIN));
        assertThat(plain.isHeld()).isTrue();
        lab.timer.advance(PERIOD);
        assertThat(lab.told).containsExactly(LossReason.TAKEN_OVER);
    }

    @Test
    void runningRenewalIsFollowedByAnother() {
        lab.strategy.renews(RENEWED);
        lab.hold("a", true);
        lab.delays = true;
        lab.timer.advance(PERIOD);
        assertThat(lab.strategy.calls).hasSize(1);

        lab.holds().renewSoon();
        lab.answer();
        lab.timer.advance(BACKOFF);
        lab.answer();

        assertThat(lab.strategy.calls).hasSize(2);
    }

    @Test
    void anExceptionIsLikeAFault() {
        lab.strategy
                .renewsBy(() -> {
                    throw new IllegalStateException("a broken strategy");
                })
                .renews(RENEWED);
        Hold hold = lab.hold("a", true);

        lab.timer.advance(PERIOD.plus(BACKOFF));

        assertThat(lab.strategy.calls).hasSize(2);
        assertThat(hold.remaining()).isEqualTo(TTL.minus(MARGIN));
    }

    @Test
    void anErrorLeavesNoLockBehind() {
        lab.strategy.renews(RENEWED);
        lab.broken = true;
        Hold first = lab.hold("a", true);
        Hold second = lab.hold("b", true);

        assertThatExceptionOfType(LinkageError.class).isThrownBy(() -> lab.timer.advance(PERIOD));
        lab.broken = false;
        lab.timer.advance(BACKOFF.multipliedBy(2));

        assertThat(first.remaining()).isGreaterThan(TTL.minus(MARGIN).minus(PERIOD));
        assertThat(second.remaining()).isGreaterThan(TTL.minus(MARGIN).minus(PERIOD));
    }

    @ParameterizedTest
    @EnumSource(Moment.class)
    void anErrorOfOneLockLeavesNoOtherBehind(Moment moment) {
        lab.strategy.renews(RENEWED).renewsTogether(Step.done(true));
        KeepAlive keepAlive =
                new KeepAlive(deadlines, lab.runner(), lab.settings(), hold -> new FailingSchedule(hold, moment));
        List<Hold> holds =
                Stream.of("a", "b", "c").map(name -> lab.hold(name, false)).toList();
        holds.forEach(hold -> add(keepAlive, hold));

        advanceInSpiteOfErrors(PERIOD);
        advanceInSpiteOfErrors(PERIOD.multipliedBy(2));

        assertThat(holds.get(0).remaining()).isGreaterThan(TTL.minus(MARGIN).minus(PERIOD));
        assertThat(holds.get(2).remaining()).isGreaterThan(TTL.minus(MARGIN).minus(PERIOD));
    }

    @Test
    void anErrorWhenALossIsFoundKeepsNoTransactionWaiting() {
        lab.strategy.renews(LOST);
        Hold hold = lab.hold("a", true);
        hold.signalLoss((lease, reason) -> {
            throw new LinkageError("no class, for a test");
        });

        lab.timer.advance(PERIOD);

        assertThat(hold.loss()).contains(LossReason.TAKEN_OVER);
        assertThat(hold.gate().close(hold.lease().name())).isCompleted();
    }

    @Test
    void aLeaseThatEndsUnansweredIsLostForThatReasonOnce() {
        lab.strategy.renews(fails(Fault.AMBIGUOUS));
        Hold hold = lab.hold("a", true);

        lab.timer.advance(TTL.minus(MARGIN).minusNanos(1));
        assertThat(hold.isHeld()).isTrue();
        lab.timer.advance(TTL);

        assertThat(lab.told).containsExactly(LossReason.RENEWAL_FAILED);
        assertNothingIsLeft();
    }

    @Test
    void aDefiniteNoEndsTheHoldAtOnce() {
        lab.strategy.renews(fails(Fault.AMBIGUOUS)).renews(LOST);
        Hold hold = lab.hold("a", true);

        lab.timer.advance(PERIOD.plus(BACKOFF));

        assertThat(hold.loss()).contains(LossReason.TAKEN_OVER);
        lab.timer.advance(TTL);
        assertThat(lab.told).containsExactly(LossReason.TAKEN_OVER);
        assertThat(lab.strategy.calls).hasSize(2);
        assertNothingIsLeft();
    }

    @Test
    void renewalsDueTogetherAreSentTogether() {
        lab.strategy.renewsTogether(Step.done(true));
        List<Hold> holds = threeSoonAfterAnother();

        lab.timer.advance(PERIOD);

        assertThat(lab.strategy.calls).containsExactly("renew 3");
        assertThat(holds).extracting(Hold::remaining).containsOnly(holds.get(0).remaining());
        lab.timer.advance(PERIOD.multipliedBy(9));
        assertThat(lab.strategy.calls).hasSize(10).containsOnly("renew 3");
    }

    @Test
    void whenFewerMatchEachIsAskedForByItself() {
        lab.strategy.renewsTogether(Step.done(false)).renewsTogether(Step.done(true));
        lab.strategy.renews(RENEWED).renews(LOST).renews(RENEWED);
        List<Hold> holds = threeSoonAfterAnother();

        lab.timer.advance(PERIOD);

        assertThat(lab.strategy.calls).containsExactly("renew 3", "renew", "renew", "renew");
        assertThat(holds).extracting(Hold::isHeld).containsExactly(true, false, true);
        lab.timer.advance(PERIOD);
        assertThat(lab.strategy.calls).endsWith("renew 2");
        assertThat(lab.told).containsExactly(LossReason.TAKEN_OVER);
    }

    @Test
    void aLockThatIsReleasedMeanwhileMakesTheOthersBeAskedForTogetherOnceMore() {
        lab.strategy.renewsTogether(Step.done(false)).renewsTogether(Step.done(true));
        lab.strategy.releases(Step.done(true));
        List<Hold> holds = threeSoonAfterAnother();
        lab.delays = true;
        lab.timer.advance(PERIOD);

        lab.lab.result(holds.get(1).releaseProgram(lab.settings()));
        lab.answer();

        assertThat(renewals()).containsExactly("renew 3", "renew 2");
        assertThat(holds.get(0).remaining()).isEqualTo(holds.get(2).remaining()).isEqualTo(TTL.minus(MARGIN));
        lab.timer.advance(PERIOD);
        lab.answer();
        assertThat(renewals()).containsExactly("renew 3", "renew 2", "renew 2");
    }

    @Test
    void aLossIsFoundThoughAnotherLockIsReleasedMeanwhile() {
        lab.strategy.renewsTogether(Step.done(false));
        lab.strategy.renews(LOST).renews(RENEWED).releases(Step.done(true));
        List<Hold> holds = threeSoonAfterAnother();
        lab.delays = true;
        lab.timer.advance(PERIOD);

        lab.lab.result(holds.get(1).releaseProgram(lab.settings()));
        lab.answer();
        lab.timer.advance(Duration.ZERO);
        lab.answer();

        assertThat(renewals()).containsExactly("renew 3", "renew 2", "renew", "renew");
        assertThat(holds).extracting(Hold::isHeld).containsExactly(false, false, true);
        assertThat(lab.told).containsExactly(LossReason.TAKEN_OVER);
    }

    @Test
    void aLockThatIsReleasedBeforeTheCommandIsSentIsNotAskedFor() {
        lab.strategy.renewsTogether(Step.done(true)).releases(Step.done(true));
        List<Hold> holds = threeSoonAfterAnother();
        lab.beforeSending = () -> lab.lab.result(holds.get(1).releaseProgram(lab.settings()));

        lab.timer.advance(PERIOD);

        assertThat(renewals()).containsExactly("renew 2");
    }

    @Test
    void aStrategyThatCannotRenewTogetherIsAskedOneByOne() {
        lab.strategy.renews(RENEWED);
        threeSoonAfterAnother();

        lab.timer.advance(PERIOD);

        assertThat(lab.strategy.calls).containsExactly("renew", "renew", "renew");
    }

    @Test
    void renewalsSentTogetherAreRetriedTogetherAfterANetworkFault() {
        lab.strategy.renewsTogether(fails(Fault.NOT_SENT)).renewsTogether(Step.done(true));
        threeSoonAfterAnother();

        lab.timer.advance(PERIOD.plus(BACKOFF));

        assertThat(lab.strategy.calls).containsExactly("renew 3", "renew 3");
    }

    @Test
    void aLockWhoseRenewalIsBlockedAffectsNoneThatSharesItsCommand() {
        lab.strategy.renewsTogether(Step.done(true)).renews(RENEWED).blocks(LockName.of("a42"));
        List<Hold> holds =
                IntStream.range(0, 100).mapToObj(i -> lab.hold("a" + i, true)).toList();

        lab.timer.advance(PERIOD.plus(BACKOFF.multipliedBy(2)));

        assertThat(holds)
                .filteredOn(hold -> hold.remaining().compareTo(TTL.minus(PERIOD)) < 0)
                .extracting(hold -> hold.lease().name())
                .containsExactly(LockName.of("a42"));
        assertThat(lab.strategy.calls).hasSize(1 + 10 + 10).startsWith("renew 100");
        assertThat(lab.strategy.calls.subList(1, 11)).containsOnly("renew 10");
        lab.timer.advance(PERIOD);
        assertThat(lab.strategy.calls).as("together again").contains("renew 90", "renew 9");
        lab.timer.advance(TTL);
        assertThat(lab.told).containsExactly(LossReason.RENEWAL_FAILED);
    }

    /** A router reports the errors of one shard for each lock there. */
    @Test
    @Tag("finds:renewals-fail-together")
    void locksOfAShardWithoutAPrimaryAffectNoOthers() {
        List<LockName> onIt =
                IntStream.range(0, 50).mapToObj(i -> LockName.of("a" + 2 * i)).toList();
        lab.strategy.renewsTogether(Step.done(true)).failsToRenewInPart(onIt, inPart(133, 50));
        List<Hold> holds =
                IntStream.range(0, 100).mapToObj(i -> lab.hold("a" + i, true)).toList();

        lab.timer.advance(TTL.multipliedBy(2));

        assertThat(holds)
                .filteredOn(Hold::isHeld)
                .extracting(hold -> hold.lease().name())
                .hasSize(50)
                .doesNotContainAnyElementsOf(onIt);
        assertThat(lab.strategy.calls).as("none by itself").doesNotContain("renew");
    }

    @ParameterizedTest
    @ValueSource(ints = {50, 121})
    void lockWhoseRenewalIsRefusedAffectsNoneThatSharesItsCommand(int code) {
        lab.strategy
                .renewsTogether(Step.done(true))
                .renews(fails(Fault.REJECTED))
                .failsToRenewInPart(List.of(LockName.of("a42")), inPart(code, 1));
        IntStream.range(0, 100).forEach(i -> lab.hold("a" + i, true));

        lab.timer.advance(TTL.multipliedBy(3));

        assertThat(lab.told).containsExactly(LossReason.RENEWAL_FAILED);
    }

    private static MongoException inPart(int code, int errors) {
        return new MongoBulkWriteException(
                BulkWriteResult.acknowledged(0, 100 - errors, 0, 100 - errors, List.of(), List.of()),
                IntStream.range(0, errors)
                        .mapToObj(i -> new BulkWriteError(code, "failed", new BsonDocument(), i))
                        .toList(),
                null,
                new ServerAddress(),
                Set.of());
    }

    @Test
    void aSilentServerIsAskedForAFewLocksAtATimeAndNotForEach() {
        lab.strategy.renewsTogether(timesOut()).renews(timesOut());
        IntStream.range(0, 100).forEach(i -> lab.hold("a" + i, true));

        lab.timer.advance(TTL);

        assertThat(lab.strategy.calls)
                .startsWith("renew 100")
                .contains("renew 10")
                .doesNotContain("renew");
    }

    @Test
    void oneByOneTheyAreAskedForAfterARefusal() {
        lab.strategy.renewsTogether(fails(Fault.REJECTED)).renewsTogether(Step.done(true));
        lab.strategy.renews(RENEWED);
        threeSoonAfterAnother();

        lab.timer.advance(PERIOD.plus(BACKOFF));

        assertThat(lab.strategy.calls).containsExactly("renew 3", "renew", "renew", "renew");
    }

    @Test
    void aCommandRenewsABoundedNumber() {
        lab.strategy.renewsTogether(Step.done(true)).renews(RENEWED);
        IntStream.range(0, 2 * HoldRegistry.MAX_TOGETHER + 1).forEach(i -> lab.hold("a" + i, true));

        lab.timer.advance(PERIOD);

        assertThat(lab.strategy.calls).containsExactly("renew 100", "renew 100", "renew");
    }

    @Test
    void replyAfterTheEndOfTheLeaseRestoresNothing() {
        lab.strategy.renews(RENEWED);
        lab.delays = true;
        Hold hold = lab.hold("a", true);
        lab.timer.advance(TTL);

        lab.answer();

        assertThat(hold.isHeld()).isFalse();
        assertThat(lab.told).containsExactly(LossReason.RENEWAL_FAILED);
        assertThat(lab.strategy.calls).hasSize(1);
    }

    @Test
    void afterAnAttemptThatTookLongTheNextFollowsAtOnce() {
        lab.strategy.renews(fails(Fault.AMBIGUOUS)).renews(RENEWED);
        lab.delays = true;
        Hold hold = lab.hold("a", true);
        lab.timer.advance(PERIOD.plus(BACKOFF));

        lab.answer();
        lab.timer.advance(Duration.ZERO);
        lab.answer();

        assertThat(lab.strategy.calls).hasSize(2);
        assertThat(hold.remaining()).isEqualTo(TTL.minus(MARGIN));
    }

    @Test
    void anAttemptGetsAPartOfTheTimeUntilTheLeaseEnds() {
        lab.strategy.renewsTogether(fails(Fault.AMBIGUOUS));
        threeSoonAfterAnother();

        lab.timer.advance(PERIOD.minus(Duration.ofMillis(700)));

        assertThat(lab.limits)
                .last()
                .satisfies(limit -> assertThat(limit.remainingIfShorter()).contains(PERIOD.dividedBy(6)));
    }

    @Test
    void aPauseTakesNoLongerThanTheShortestTry() {
        lab.backoff = TTL;
        lab.strategy.renews(fails(Fault.NOT_SENT)).renews(RENEWED);
        lab.hold("a", true);

        lab.timer.advance(PERIOD.plus(PERIOD.dividedBy(12)));

        assertThat(lab.strategy.calls).hasSize(2);
    }

    @Test
    void aSlowAnswerIsNotAskedForTwice() {
        lab.strategy.renews(RENEWED);
        lab.delays = true;
        Hold hold = lab.hold("a", true);
        lab.timer.advance(PERIOD.multipliedBy(2));
        assertThat(lab.strategy.calls).hasSize(1);

        lab.answer();

        assertThat(hold.remaining())
                .as("from before the send")
                .isEqualTo(TTL.minus(MARGIN).minus(PERIOD));
    }

    @Test
    void anAnswerThatComesAfterTheReleaseIsNoLoss() {
        lab.strategy.renews(LOST).releases(Step.done(true));
        lab.delays = true;
        Hold hold = lab.hold("a", true);
        lab.timer.advance(PERIOD);

        lab.lab.result(hold.releaseProgram(lab.settings()));
        lab.answer();

        assertThat(hold.loss()).isEmpty();
        assertThat(lab.told).isEmpty();
        assertNothingIsLeft();
    }

    /** The server renewed the lease, the holder released it, and the reply to the renewal comes last. */
    @Test
    void aRenewalThatIsAnsweredAfterTheReleaseChangesNothing() {
        lab.strategy.renews(RENEWED).releases(Step.done(true));
        lab.delays = true;
        Hold hold = lab.hold("a", true);
        lab.timer.advance(PERIOD);

        assertThat(lab.lab.result(hold.releaseProgram(lab.settings()))).isTrue();
        lab.answer();
        lab.timer.advance(PERIOD.multipliedBy(3));

        assertThat(hold.isHeld()).isFalse();
        assertThat(hold.remaining()).isZero();
        assertThat(lab.strategy.calls).hasSize(2);
        assertNothingIsLeft();
    }

    @Test
    void aRenewalByTheHolderPutsTheNextOneOff() {
        lab.strategy.renews(RENEWED);
        Hold hold = lab.hold("a", true);
        lab.timer.advance(PERIOD.dividedBy(2));
        hold.markRenewed(LeaseTimes.renewed(
                        hold.lease(),
                        lab.lab.time.nanoTime() - MARGIN.toNanos(),
                        hold.lease().ttl())
                .validUntilNanos());

        lab.timer.advance(PERIOD.minusNanos(1));

        assertThat(lab.strategy.calls).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {HoldRegistry.MAX_TOGETHER, 50 * HoldRegistry.MAX_TOGETHER})
    void aRenewalLooksAtTheLocksThatAreDueAndAtNoOthers(int locks) {
        lab.strategy.renewsTogether(Step.done(true));
        AtomicInteger looks = new AtomicInteger();
        KeepAlive keepAlive =
                new KeepAlive(deadlines, lab.runner(), lab.settings(), hold -> new CountedSchedule(hold, looks));
        IntStream.range(0, locks).forEach(i -> add(keepAlive, lab.hold("a" + i, false)));
        looks.set(0);

        lab.timer.advance(PERIOD);

        assertThat(lab.strategy.calls).hasSize(locks / HoldRegistry.MAX_TOGETHER);
        assertThat(looks.get()).isLessThan(4 * locks);
    }

    /** A schedule that counts how often its due time is read. */
    private final class CountedSchedule extends RenewalSchedule {
        private final AtomicInteger looks;

        CountedSchedule(Hold hold, AtomicInteger looks) {
            super(hold, lab.settings());
            this.looks = looks;
        }

        @Override
        synchronized long dueNanos() {
            looks.incrementAndGet();
            return super.dueNanos();
        }
    }

    private static void add(KeepAlive keepAlive, Hold hold) {
        keepAlive.allow(hold, Optional.empty());
        keepAlive.add(hold);
    }

    private enum Moment {
        BEGIN,
        RESULT
    }

    /** A schedule of which that of lock b fails once. */
    private final class FailingSchedule extends RenewalSchedule {
        private final Moment moment;
        private boolean hasFailed;

        FailingSchedule(Hold hold, Moment moment) {
            super(hold, lab.settings());
            this.moment = moment;
        }

        @Override
        synchronized boolean beginIfDue(long nowNanos) {
            failAt(Moment.BEGIN);
            return super.beginIfDue(nowNanos);
        }

        @Override
        void recordResult(RenewalAttempt answer, int together, long nowNanos, Duration backoff) {
            failAt(Moment.RESULT);
            super.recordResult(answer, together, nowNanos, backoff);
        }

        private void failAt(Moment now) {
            boolean fails = !hasFailed && moment == now && hold().lease().name().equals(LockName.of("b"));
            hasFailed |= fails;
            if (fails) {
                throw new LinkageError("no class, for a test");
            }
        }
    }

    private void advanceInSpiteOfErrors(Duration duration) {
        long end = lab.lab.time.nanoTime() + duration.toNanos();
        try {
            lab.timer.advance(duration);
        } catch (LinkageError e) {
            lab.timer.advance(Duration.ofNanos(end - lab.lab.time.nanoTime()));
        }
    }

    private List<Hold> threeSoonAfterAnother() {
        Hold first = lab.hold("a", true);
        lab.timer.advance(Duration.ofMillis(100));
        Hold second = lab.hold("b", true);
        lab.timer.advance(Duration.ofMillis(600));
        Hold third = lab.hold("c", true);
        return List.of(first, second, third);
    }

    private List<String> renewals() {
        return lab.strategy.calls.stream()
                .filter(call -> call.startsWith("renew"))
                .toList();
    }

    private void assertNothingIsLeft() {
        assertThat(lab.holds().size()).isZero();
        lab.timer.advance(TTL);
        assertThat(lab.timer.size()).isZero();
    }
}
