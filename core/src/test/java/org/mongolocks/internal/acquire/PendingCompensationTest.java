package org.mongolocks.internal.acquire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.internal.FakeStrategy.fails;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.run.CloseSignals.CloseSignal;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.internal.wait.WaiterQueues;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.Step;

/** Tests of the compensation of an acquisition that got no reply, after its call has ended. */
class PendingCompensationTest {
    /** More than one compensation sends. */
    private static final int MANY = 5 * Lab.MAX_ATTEMPTS;

    private final Lab lab = new Lab();
    private final FakeStrategy strategy = new FakeStrategy();
    private final ClientSettings settings = lab.settings(strategy);
    private final WaiterQueues queues = Lab.queues(settings, ChangeFeed.none());

    @Test
    void isRepeatedUntilItIsAnswered() {
        Supplier<Step<Boolean>> pending = pending();
        for (int i = 0; i < MANY; i++) {
            strategy.releases(fails(Fault.NOT_SENT));
        }
        strategy.releases(Step.done(true));

        assertThat(lab.result(pending.get())).isTrue();
        assertThat(strategy.calls)
                .hasSizeGreaterThan(MANY)
                .allSatisfy(call -> assertThat(call).startsWith("release a " + Lab.OWNER.grant()));
    }

    @Test
    void isNotRepeatedAfterTheLongestLease() {
        Supplier<Step<Boolean>> pending = pending();
        long start = lab.time.nanoTime();

        assertThat(lab.run(pending.get())).isInstanceOf(Step.Fail.class);
        assertThat(Duration.ofNanos(lab.time.nanoTime() - start))
                .isBetween(Lab.TTL, Lab.TTL.plus(settings.commandTimeout()));
    }

    @Test
    void faultThatNoRetryCuresEndsIt() {
        Supplier<Step<Boolean>> pending = pending();
        strategy.releases(fails(Fault.REJECTED)).releases(Step.done(true));

        assertThat(lab.run(pending.get())).isInstanceOf(Step.Fail.class);
    }

    @Test
    void closeOfTheClientEndsThePauseAndTheRepetitionAfterItsTime() {
        Step.Pause<Boolean> pause = firstLongPause(pending().get());

        queues.close();
        assertThat(pause.wakeUp().orElseThrow()).isNotDone();
        long end = closeFor(Lab.CLOSE_TIMEOUT);

        assertThat(pause.wakeUp().orElseThrow()).isCompleted();
        assertThat(lab.run(pause.then().get())).isInstanceOf(Step.Fail.class);
        assertThat(Duration.ofNanos(lab.time.nanoTime() - end)).isBetween(Duration.ZERO, settings.commandTimeout());
    }

    @Test
    @Tag("finds:release-given-up-while-closing")
    void isRepeatedForTheTimeOfClosing() {
        Supplier<Step<Boolean>> pending = pending();
        for (int i = 0; i < MANY; i++) {
            strategy.releases(fails(Fault.NOT_SENT));
        }
        strategy.releases(Step.done(true));
        closeFor(Lab.TTL);

        assertThat(lab.result(pending.get())).isTrue();
    }

    /** A further compensation would only add to the load of a server that has been unreachable for long. */
    @Test
    void isTriedOnceWhileManyOthersPause() {
        List<CloseSignal> others = Stream.generate(queues.closeSignals()::signal)
                .takeWhile(Optional::isPresent)
                .flatMap(Optional::stream)
                .toList();
        Supplier<Step<Boolean>> pending = pending();

        assertThat(lab.run(pending.get())).isInstanceOf(Step.Fail.class);
        assertThat(strategy.calls).hasSize(Lab.MAX_ATTEMPTS);
        others.get(0).close();
        assertThat(queues.closeSignals().signal()).isPresent();
    }

    private long closeFor(Duration limit) {
        long end = lab.time.nanoTime() + limit.toNanos();
        queues.closeSignals().end(end);
        return end;
    }

    /** Returns what releases a lock of which neither the grant nor its release was answered. */
    private Supplier<Step<Boolean>> pending() {
        strategy.failsToAcquire(Fault.AMBIGUOUS).releases(fails(Fault.NOT_SENT));
        GrantAcquisition acquisition = GrantAcquisitions.of(settings, Lab.request(Duration.ZERO), Lab.OWNER, queues);
        assertThat(lab.result(acquisition.start())).isInstanceOf(LockOutcome.Indeterminate.class);
        strategy.calls.clear();
        return acquisition.pendingCompensation().orElseThrow()::repeated;
    }

    /** Returns the pause after one compensation, which a signal can end. */
    private Step.Pause<Boolean> firstLongPause(Step<Boolean> first) {
        Step.Pause<Boolean> pause = (Step.Pause<Boolean>) first;
        while (pause.wakeUp().isEmpty()) {
            lab.time.advance(pause.delay());
            pause = (Step.Pause<Boolean>) pause.then().get();
        }
        return pause;
    }
}
