package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.acquire.GrantAcquisition;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** Tests of acquisitions on a server that never replies: each command takes as long as its limit allows. */
class DeadlineTest {
    private static final Duration COMMAND = Duration.ofSeconds(1);
    private static final MongoOp QUESTION = command("question");
    private static final MongoOp RELEASE = command("release");

    private final Lab lab = new Lab();
    private final List<Duration> limits = new ArrayList<>();

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 999, 1_500, 10_000})
    void anAcquisitionEndsOneCommandAfterItsDeadlineThoughNothingIsAnswered(long waitMillis) {
        long start = lab.time.nanoTime();
        Duration wait = Duration.ofMillis(waitMillis);
        GrantAcquisition acquisition = lab.acquisition(threeQuestions(), wait);

        Step<LockOutcome> last = onMuteServer(acquisition);

        assertThat(((Step.Done<LockOutcome>) last).result()).isInstanceOf(LockOutcome.Indeterminate.class);
        assertThat(Duration.ofNanos(lab.time.nanoTime() - start))
                .isLessThanOrEqualTo(wait.plus(COMMAND).plusMillis(1));
    }

    @Test
    void noCommandGetsMoreThanTheTimeLimitOfACommand() {
        onMuteServer(lab.acquisition(threeQuestions(), Duration.ofMillis(1_500)));

        assertThat(limits).allSatisfy(limit -> assertThat(limit).isLessThanOrEqualTo(COMMAND));
        assertThat(limits.get(0)).isEqualTo(COMMAND);
    }

    @Test
    void compensationWithoutTimeLeftIsPendingAndSentLater() {
        GrantAcquisition acquisition = lab.acquisition(threeQuestions(), Duration.ZERO);
        onMuteServer(acquisition);
        assertThat(acquisition.pendingCompensation()).isPresent();
        limits.clear();

        Step<Boolean> compensation =
                acquisition.pendingCompensation().orElseThrow().repeated();
        Step<Boolean> last = run(compensation, limitOf(acquisition), new Reply.Counted(1, false));

        assertThat(last).isEqualTo(Step.done(true));
        assertThat(limits).containsExactly(COMMAND);
        assertThat(acquisition.pendingCompensation()).isEmpty();
    }

    @Test
    void compensatedAcquisitionFailsAndNothingIsPending() {
        FakeStrategy strategy =
                new FakeStrategy().failsToAcquire(Fault.AMBIGUOUS).releases(Step.done(true));
        GrantAcquisition acquisition = lab.acquisition(strategy, Duration.ZERO);

        assertThat(lab.run(acquisition.start())).isInstanceOf(Step.Fail.class);
        assertThat(acquisition.pendingCompensation()).isEmpty();
    }

    @Test
    void waiterThatWakesAfterItsDeadlineSendsNothing() {
        FakeStrategy strategy = new FakeStrategy().contends(Lab.heldBy("other", 1, Optional.empty()));
        Step<LockOutcome> waiting =
                lab.acquisition(strategy, Duration.ofSeconds(5)).start();

        lab.time.advance(Duration.ofSeconds(60));
        Step<LockOutcome> last = ((Step.Pause<LockOutcome>) waiting).then().get();

        assertThat(((Step.Done<LockOutcome>) last).result()).isInstanceOf(LockOutcome.Contended.class);
        assertThat(strategy.acquires).hasSize(1);
    }

    @Test
    void transactionGetsHalfOfTheRemainingTimeAndItsCommitTheOther() {
        TimeBudget limit = limitOf(Duration.ZERO);

        assertThat(limit.beginTransaction()).isEqualTo(COMMAND.dividedBy(2));
        lab.time.advance(Duration.ofMillis(501));

        Reply commit = limit.rejectIfLate(boundary(MongoOp.Transaction.Boundary.COMMIT), lab.time.nanoTime())
                .orElseThrow();
        assertThat(commit.failedWith(Fault.UNKNOWN_COMMIT)).isTrue();
        assertThat(limit.rejectIfLate(boundary(MongoOp.Transaction.Boundary.ABORT), lab.time.nanoTime()))
                .isEmpty();
        assertThat(limit.rejectIfLate(QUESTION, lab.time.nanoTime())).isEmpty();
    }

    @Test
    void anOperationIsNotSentWhenNoTimeIsLeft() {
        TimeBudget limit = limitOf(Duration.ZERO);
        lab.time.advance(COMMAND);

        assertThat(limit.rejectIfLate(QUESTION, lab.time.nanoTime())
                        .orElseThrow()
                        .failedWith(Fault.NOT_SENT))
                .isTrue();
        limit.stopRejecting();
        assertThat(limit.rejectIfLate(QUESTION, lab.time.nanoTime())).isEmpty();
    }

    /** An overloaded server delays what can wait; a lease or a command that is short is delayed for a short time. */
    @Test
    void aRunIsDelayedByAPartOfItsTime() {
        ClientSettings settings = lab.settings(new FakeStrategy());
        TimeBudget acquisition = limitOf(Duration.ofSeconds(5));
        TimeBudget renewal =
                TimeBudget.forRenewal(settings, RenewalTime.of(Duration.ofSeconds(20)), Duration.ofMillis(1));
        TimeBudget release = TimeBudget.perCommand(COMMAND);

        assertThat(acquisition.mayBeDelayed()).isEqualTo(Duration.ofSeconds(5));
        assertThat(acquisition.isPatient()).isTrue();
        assertThat(renewal.mayBeDelayed()).isEqualTo(Duration.ofSeconds(5));
        assertThat(release.mayBeDelayed()).isLessThan(COMMAND);
        assertThat(List.of(renewal.isPatient(), release.isPatient())).containsOnly(false);
        lab.time.advance(Duration.ofSeconds(16));
        assertThat(acquisition.mayBeDelayed()).isZero();
        assertThat(renewal.mayBeDelayed()).isEqualTo(Duration.ofSeconds(1));
    }

    /** Nobody waits any more for what an acquisition sends after its deadline. */
    @Test
    void commandsAfterTheDeadlineAreDelayedBriefly() {
        TimeBudget limit = limitOf(Duration.ofSeconds(5));

        limit.stopRejecting();

        assertThat(limit.isPatient()).isFalse();
        assertThat(limit.mayBeDelayed()).isLessThan(COMMAND);
    }

    @Test
    void farFromTheDeadlineTheLimitOfTheClientHolds() {
        TimeBudget limit = limitOf(Duration.ofSeconds(5));

        assertThat(limit.remainingIfShorter()).isEmpty();
        assertThat(limit.beginTransaction()).isEqualTo(COMMAND);
        assertThat(TimeBudget.perCommand(lab.settings(new FakeStrategy()).commandTimeout())
                        .remainingIfShorter())
                .isEmpty();
    }

    private static TimeBudget limitOf(GrantAcquisition acquisition) {
        return acquisition.limit().orElseThrow();
    }

    private TimeBudget limitOf(Duration wait) {
        return TimeBudget.waitingAtMost(lab.settings(new FakeStrategy()), wait, lab.time.nanoTime());
    }

    private static FakeStrategy threeQuestions() {
        return new FakeStrategy()
                .answers(context -> ask(ask(ask(Step.done(context.acquired(1))))))
                .answersReleases(() -> Step.call(
                        RELEASE, reply -> reply instanceof Reply.Counted ? Step.done(true) : Step.fail(reply)));
    }

    private static Step<LockOutcome> ask(Step<LockOutcome> next) {
        return Step.call(QUESTION, reply -> reply instanceof Reply.Failed ? Step.fail(reply) : next);
    }

    private Step<LockOutcome> onMuteServer(GrantAcquisition acquisition) {
        return run(acquisition.start(), limitOf(acquisition), FakeStrategy.failure(Fault.AMBIGUOUS));
    }

    /** Applies a limit as the drivers do. */
    private <R> Step<R> run(Step<R> first, TimeBudget limit, Reply answer) {
        Step<R> step = lab.run(first);
        while (step instanceof Step.Call<R> call) {
            Optional<Reply> refused = limit.rejectIfLate(call.op(), lab.time.nanoTime());
            step = lab.run(call.then().apply(refused.orElseGet(() -> answeredLate(limit, answer))));
        }
        return step;
    }

    private Reply answeredLate(TimeBudget limit, Reply answer) {
        Duration time = limit.remainingIfShorter().orElse(COMMAND);
        limits.add(time);
        lab.time.advance(time);
        return answer;
    }

    private static MongoOp command(String label) {
        return new MongoOp.DeleteOne(label, "locks", new BsonDocument());
    }

    private static MongoOp boundary(MongoOp.Transaction.Boundary boundary) {
        return new MongoOp.Transaction("boundary", boundary);
    }
}
