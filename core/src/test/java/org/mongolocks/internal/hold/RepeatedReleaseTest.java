package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.internal.FakeStrategy.fails;
import static org.mongolocks.internal.hold.HoldingLab.BACKOFF;
import static org.mongolocks.internal.hold.HoldingLab.TTL;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** Tests locks whose release got no reply in time, as during an election: the caller has no handle of them any more. */
class RepeatedReleaseTest {
    private final HoldingLab lab = new HoldingLab();
    private Step<Boolean> reply = fails(Fault.NOT_SENT);

    RepeatedReleaseTest() {
        lab.strategy.answersReleases(() -> reply);
    }

    private long releases() {
        return lab.strategy.calls.stream()
                .filter(call -> call.startsWith("release"))
                .count();
    }

    /** Releases a lock while the server does not answer. */
    private Hold releaseWithoutReply() {
        Hold hold = lab.hold("a", false);
        assertThat(lab.lab.run(hold.releaseProgram(lab.settings()))).isInstanceOf(Step.Fail.class);
        lab.strategy.calls.clear();
        return hold;
    }

    @Test
    @Tag("finds:release-not-repeated")
    void releaseIsRepeatedUntilTheServerAnswers() {
        releaseWithoutReply();
        reply = fails(Fault.AMBIGUOUS);
        lab.timer.advance(BACKOFF);
        long before = releases();
        assertThat(before).isPositive();

        reply = Step.done(true);
        lab.timer.advance(TTL);

        assertThat(releases()).isEqualTo(before + 1);
        assertThat(lab.timer.size()).isZero();
        assertThat(lab.told).isEmpty();
    }

    @Test
    void waitersOfTheClientAreWoken() {
        List<LockName> woken = new ArrayList<>();
        lab.wakingWaiters = (name, release) -> release.andThen(released -> {
            woken.add(name);
            return Step.done(released);
        });
        releaseWithoutReply();
        reply = Step.done(true);

        lab.timer.advance(BACKOFF);

        assertThat(woken).containsExactly(LockName.of("a"));
    }

    @Test
    void releaseIsNotRepeatedAfterTheEndOfTheLease() {
        releaseWithoutReply();
        lab.timer.advance(TTL.multipliedBy(2));
        long before = releases();
        lab.timer.advance(TTL.multipliedBy(2));

        assertThat(releases()).isEqualTo(before);
        assertThat(lab.timer.size()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"REJECTED", "UNSUPPORTED", "FOREIGN_FORMAT"})
    void refusedReleaseIsNotRepeated(Fault refusal) {
        reply = fails(refusal);
        Hold hold = lab.hold("a", false);
        lab.lab.run(hold.releaseProgram(lab.settings()));
        long before = releases();

        lab.timer.advance(TTL);

        assertThat(releases()).isEqualTo(before);
    }

    @Test
    void callerThatRepeatsTheReleaseLaterGetsTheResultOnce() {
        Hold hold = releaseWithoutReply();
        reply = Step.done(true);
        lab.timer.advance(BACKOFF);

        assertThat(lab.lab.result(hold.releaseProgram(lab.settings()))).isTrue();
        assertThat(lab.lab.result(hold.releaseProgram(lab.settings()))).isFalse();
        assertThat(releases()).isOne();
    }

    @Test
    void callerThatRepeatsTheReleaseMeanwhileWaitsForIt() {
        Hold hold = releaseWithoutReply();
        reply = new Step.Pause<>(Duration.ofMillis(1), Optional.empty(), () -> Step.done(true));
        lab.delays = true;
        lab.timer.advance(BACKOFF);

        Step<Boolean> repeated = hold.releaseProgram(lab.settings());
        assertThat(((Step.Pause<Boolean>) repeated).wakeUp()).isPresent();
        lab.answer();

        assertThat(lab.lab.result(repeated)).isTrue();
        assertThat(releases()).isOne();
    }

    /** The first release may have been executed, so that the next one finds the lock released. */
    @Test
    void releaseThatWasExecutedWithoutAReplyIsNoLoss() {
        releaseWithoutReply();
        reply = Step.done(false);
        lab.strategy.shows(LockSnapshot.of(LockName.of("a"), Optional.empty(), 7, 2)
                .lease(TTL, Optional.empty(), Optional.empty()));

        lab.timer.advance(BACKOFF);
        long executed = releases();
        lab.timer.advance(TTL);

        assertThat(lab.told).doesNotContain(LossReason.TAKEN_OVER);
        assertThat(releases()).isEqualTo(executed);
        assertThat(lab.timer.size()).isZero();
    }

    @ParameterizedTest
    @EnumSource(names = {"AMBIGUOUS", "UNKNOWN_COMMIT"})
    @Tag("finds:executed-release-is-a-loss")
    void releaseThatWasExecutedWithoutAReplyIsNoLossThoughTheNextOwnerHasTheLock(Fault lostReply) {
        reply = fails(lostReply);
        releaseWithoutReply();
        reply = Step.done(false);
        lab.strategy.shows(heldByTheNextOwner());

        lab.timer.advance(BACKOFF);
        lab.timer.advance(TTL);

        assertThat(lab.told).isEmpty();
        assertThat(lab.timer.size()).isZero();
    }

    @Test
    void repeatedReleaseThatGetsNoReplyEitherIsNoLossThoughTheNextOwnerHasTheLock() {
        releaseWithoutReply();
        reply = fails(Fault.AMBIGUOUS);
        lab.timer.advance(BACKOFF);
        reply = Step.done(false);
        lab.strategy.shows(heldByTheNextOwner());

        lab.timer.advance(TTL);

        assertThat(lab.told).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(names = {"NOT_SENT", "TRANSIENT"})
    void lockOfAnotherOwnerIsLostIfNoReleaseWasExecuted(Fault fault) {
        reply = fails(fault);
        releaseWithoutReply();
        reply = Step.done(false);
        lab.strategy.shows(heldByTheNextOwner());

        lab.timer.advance(BACKOFF);

        assertThat(lab.told).containsExactly(LossReason.TAKEN_OVER);
    }

    private static LockSnapshot heldByTheNextOwner() {
        return LockSnapshot.of(LockName.of("a"), Optional.of("another owner"), 8, 3)
                .lease(TTL, Optional.empty(), Optional.empty());
    }

    @Test
    void closingClientReleasesItOnceMore() {
        releaseWithoutReply();
        reply = Step.done(true);
        long before = releases();

        lab.holds().close().join();
        lab.timer.advance(TTL);

        assertThat(releases()).isEqualTo(before + 1);
        assertThat(lab.timer.size()).isZero();
    }

    @Test
    void releaseThatCannotBeginIsRepeated() {
        releaseWithoutReply();
        reply = Step.done(true);
        lab.broken = true;
        try {
            lab.timer.advance(BACKOFF);
        } catch (LinkageError e) {
            assertThat(e).hasMessage("no thread, for a test");
        }
        lab.broken = false;

        lab.timer.advance(BACKOFF);

        assertThat(releases()).isOne();
    }
}
