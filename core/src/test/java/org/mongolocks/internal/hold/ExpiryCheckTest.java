package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.Step;
import org.mongolocks.time.Timer;

/** Tests of the checks of held locks. */
class ExpiryCheckTest {
    private static final Duration LATE = Duration.ofSeconds(2);
    private static final Duration EARLY = Duration.ofSeconds(5);

    private final HoldingLab lab = new HoldingLab();
    private final List<Duration> pending = new CopyOnWriteArrayList<>();
    private Runnable whileScheduling = () -> {};
    private Runnable wake = () -> {};

    /** It would wake too late for the listener that was added meanwhile. */
    @Test
    @Timeout(60)
    void wakeUpThatIsComputedBeforeAListenerIsAddedDoesNotReplaceThatOfTheListener() throws Exception {
        HoldRegistry holds = new HoldRegistry(
                lab.settings(), timer(), lab.listeners, lab.runner(), (name, release) -> release, Optional.empty());
        long end = lab.lab.time.nanoTime() + HoldingLab.TTL.toNanos();
        Lease lease = new Lease(LockName.of("a"), Lab.OWNER, 7, HoldingLab.TTL, end);
        Hold hold = holds.add(
                        LockRequest.of("a", HoldingLab.TTL).fixedLease(),
                        lease,
                        lab.lab.time.nanoTime(),
                        lab.lab.time.nanoTime())
                .orElseThrow();
        Thread waking = new Thread(wake);
        whileScheduling = () -> {
            waking.start();
            awaitBlocked(waking);
            hold.onEndangered(EARLY, (lost, left) -> {});
        };

        hold.onEndangered(LATE, (lost, left) -> {});
        waking.join();

        assertThat(pending).containsExactly(hold.remaining().minus(EARLY));
    }

    @Test
    void leasesThatEndTogetherAreCheckedByOneWakeUp() {
        Hold first = lab.hold("a", false);
        Hold second = lab.hold("b", false);
        assertThat(lab.timer.size()).isOne();

        lab.timer.advance(HoldingLab.TTL);

        assertThat(first.loss()).hasValue(LossReason.EXPIRED);
        assertThat(second.loss()).hasValue(LossReason.EXPIRED);
        assertThat(lab.timer.size()).isZero();
    }

    @Test
    void releaseOfOneLockLeavesTheChecksOfThoseThatEndWithIt() {
        lab.strategy.releases(Step.done(true));
        Hold released = lab.hold("a", false);
        Hold expired = lab.hold("b", false);

        lab.lab.run(released.releaseProgram(lab.settings()));
        lab.timer.advance(HoldingLab.TTL);

        assertThat(released.loss()).isEmpty();
        assertThat(expired.loss()).hasValue(LossReason.EXPIRED);
    }

    @Test
    void timerThatRefusesATaskOnceIsUsedAgainForTheNextLock() {
        AtomicBoolean refuses = new AtomicBoolean(true);
        HoldRegistry holds = new HoldRegistry(
                lab.settings(),
                (delay, task) -> {
                    if (refuses.getAndSet(false)) {
                        throw new IllegalStateException("for a test");
                    }
                    return lab.timer.schedule(delay, task);
                },
                lab.listeners,
                lab.runner(),
                (name, release) -> release,
                Optional.empty());
        long end = lab.lab.time.nanoTime() + HoldingLab.TTL.toNanos();
        Lease lease = new Lease(LockName.of("a"), Lab.OWNER, 7, HoldingLab.TTL, end);
        LockRequest request = LockRequest.of("a", HoldingLab.TTL).fixedLease();
        assertThatThrownBy(() -> holds.add(request, lease, lab.lab.time.nanoTime(), lab.lab.time.nanoTime()))
                .hasMessage("for a test");

        Hold second = holds.add(request, lease, lab.lab.time.nanoTime(), lab.lab.time.nanoTime())
                .orElseThrow();
        lab.timer.advance(HoldingLab.TTL);

        assertThat(second.loss()).hasValue(LossReason.EXPIRED);
    }

    @Test
    void errorInOneCheckDoesNotDropThoseThatAreDueWithIt() {
        AtomicBoolean broken = new AtomicBoolean(true);
        lab.listeners = task -> {
            if (broken.getAndSet(false)) {
                throw new LinkageError("no thread, for a test");
            }
            task.run();
        };
        lab.hold("a", false);
        Hold second = lab.hold("b", false);

        assertThatThrownBy(() -> lab.timer.advance(HoldingLab.TTL)).isInstanceOf(LinkageError.class);
        lab.timer.advance(Duration.ZERO);

        assertThat(second.loss()).hasValue(LossReason.EXPIRED);
        assertThat(lab.told).containsExactly(LossReason.EXPIRED);
    }

    /** The timer of one lock, which has one wake-up at a time. */
    private Timer timer() {
        return (delay, task) -> {
            wake = task;
            Runnable meanwhile = whileScheduling;
            whileScheduling = () -> {};
            meanwhile.run();
            pending.add(delay);
            return pending::clear;
        };
    }

    private static void awaitBlocked(Thread thread) {
        while (thread.getState() != Thread.State.BLOCKED) {
            Thread.onSpinWait();
        }
    }
}
