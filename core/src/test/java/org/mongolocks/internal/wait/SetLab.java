package org.mongolocks.internal.wait;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.mongolocks.LockName;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.internal.acquire.AcquireResult;
import org.mongolocks.internal.acquire.MultiLockAcquisition;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.HoldRegistry;
import org.mongolocks.internal.run.ClientRuns.BackgroundRunner;
import org.mongolocks.internal.run.RenewalTime;
import org.mongolocks.internal.settings.ClientSettings;
import org.mongolocks.internal.wait.ReleaseEvents.ChangeFeed;
import org.mongolocks.spi.Step;
import org.mongolocks.time.ManualTimer;

/** A runner of acquisitions of several locks of a {@link LockTable}, on a time that the pauses of the program move. */
public final class SetLab {
    public static final Duration TTL = Lab.TTL;
    public static final Duration MARGIN = Duration.ofSeconds(1);
    public static final Duration PATIENT = Duration.ofMinutes(1);

    public final Lab lab = new Lab();
    public final ManualTimer timer = new ManualTimer(lab.time);
    public final LockTable table = new LockTable();
    final ClientSettings settings = settings();
    public final WaiterQueues queues = Lab.queues(settings, ChangeFeed.none());
    public final HoldRegistry holds = new HoldRegistry(
            settings, timer, Runnable::run, new Inline(), (name, release) -> release, Optional.empty());

    /** Schedules an event after that time from now. */
    public void after(Duration delay, Runnable event) {
        timer.schedule(delay, event);
    }

    public MultiLockAcquisition begin(Duration wait, String... names) {
        return begin(MultiLockRequest.of(List.of(names), TTL).fixedLease().waitAtMost(wait));
    }

    public MultiLockAcquisition begin(MultiLockRequest request) {
        return new MultiLockAcquisition(settings, request, queues, holds);
    }

    /**
     * Runs to the last step; due events happen while the program pauses, and end the pause if they complete its signal.
     */
    public <R> Step<R> run(Step<R> first) {
        Step<R> step = first;
        while (step instanceof Step.Pause<R> pause) {
            pass(pause);
            step = pause.then().get();
        }
        return step;
    }

    public AcquireResult outcome(MultiLockAcquisition acquisition) {
        return ((Step.Done<AcquireResult>) run(acquisition.start())).result();
    }

    public List<Hold> held(MultiLockAcquisition acquisition) {
        return ((AcquireResult.Held) outcome(acquisition)).holds();
    }

    private void pass(Step.Pause<?> pause) {
        long end = lab.time.nanoTime() + pause.delay().toNanos();
        Duration tick = Duration.ofMillis(50);
        while (end - lab.time.nanoTime() > 0
                && !pause.wakeUp().map(CompletableFuture::isDone).orElse(false)) {
            Duration left = Duration.ofNanos(end - lab.time.nanoTime());
            timer.advance(left.compareTo(tick) < 0 ? left : tick);
        }
    }

    private ClientSettings settings() {
        return lab.settings(table, MARGIN, Duration.ofMillis(500));
    }

    /** A runner of programs on the calling thread, at once. */
    private final class Inline implements BackgroundRunner {
        @Override
        public <R> CompletableFuture<R> run(String verb, LockName name, Supplier<Step<R>> program) {
            Step<R> last = SetLab.this.run(program.get());
            return last instanceof Step.Done<R> done
                    ? CompletableFuture.completedFuture(done.result())
                    : CompletableFuture.failedFuture(new IllegalStateException("failed"));
        }

        @Override
        public <R> CompletableFuture<R> renew(LockName name, Supplier<RenewalTime> time, Supplier<Step<R>> program) {
            return run("Renewing", name, program);
        }
    }
}
