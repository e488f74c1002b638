package org.mongolocks.internal.wait;

import org.mongolocks.internal.acquire.SetAcquisition;
import org.mongolocks.internal.acquire.SetGrant;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.Holds;
import org.mongolocks.internal.run.Background;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.mongolocks.ClientSettings;
import org.mongolocks.LockName;
import org.mongolocks.LockSetRequest;
import org.mongolocks.ManualTimer;
import org.mongolocks.spi.Step;

/** A runner of acquisitions of several locks of a {@link LockTable}, on a time that the pauses of the program move. */
public final class SetLab {
    public static final Duration TTL = Lab.TTL;
    public static final Duration MARGIN = Duration.ofSeconds(1);
    public static final Duration PATIENT = Duration.ofMinutes(1);

    public final Lab lab = new Lab();
    public final ManualTimer timer = new ManualTimer(lab.time);
    public final LockTable table = new LockTable();
    final ClientSettings settings = settings();
    public final WaitingRoom room = new WaitingRoom(settings, ChangeFeed.none());
    public final Holds holds = new Holds(settings, timer, Runnable::run, new Inline());

    /** Schedules an event after that time from now. */
    public void after(Duration delay, Runnable event) {
        timer.schedule(delay, event);
    }

    public SetAcquisition begin(Duration wait, String... names) {
        return begin(LockSetRequest.of(List.of(names), TTL).waitAtMost(wait));
    }

    public SetAcquisition begin(LockSetRequest request) {
        return new SetAcquisition(settings, request, room, holds);
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

    public SetGrant outcome(SetAcquisition acquisition) {
        return ((Step.Done<SetGrant>) run(acquisition.start())).result();
    }

    public List<Hold> held(SetAcquisition acquisition) {
        return ((SetGrant.Held) outcome(acquisition)).holds();
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
    private final class Inline implements Background {
        @Override
        public <R> CompletableFuture<R> run(String verb, LockName name, Supplier<Step<R>> program) {
            Step<R> last = SetLab.this.run(program.get());
            return last instanceof Step.Done<R> done
                    ? CompletableFuture.completedFuture(done.result())
                    : CompletableFuture.failedFuture(new IllegalStateException("failed"));
        }
    }
}
