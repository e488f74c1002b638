package org.mongolocks.internal.hold;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.internal.wait.Lab;

/** Tests that the wake-ups of one held lock replace each other in order. */
class ExpiryTimerTest {
    private static final Duration LATE = Duration.ofSeconds(2);
    private static final Duration EARLY = Duration.ofSeconds(5);

    private final HoldingLab lab = new HoldingLab();
    private final List<Duration> pending = new CopyOnWriteArrayList<>();
    private Runnable whileScheduling = () -> {};
    private Runnable wake = () -> {};

    /** It would wake too late for the listener that was added meanwhile. */
    @Test
    void wakeUpThatIsComputedBeforeAListenerIsAddedDoesNotReplaceThatOfTheListener() throws Exception {
        HoldRegistry holds = new HoldRegistry(lab.settings(), timer(), lab.listeners, lab.runner());
        long end = lab.lab.time.nanoTime() + HoldingLab.TTL.toNanos();
        Lease lease = new Lease(LockName.of("a"), Lab.OWNER, 7, HoldingLab.TTL, end);
        Hold hold = holds.add(LockRequest.of("a", HoldingLab.TTL), lease).orElseThrow();
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
