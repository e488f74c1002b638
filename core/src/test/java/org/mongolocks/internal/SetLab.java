package org.mongolocks.internal;

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
final class SetLab {
    static final Duration TTL = Lab.TTL;
    static final Duration MARGIN = Duration.ofSeconds(1);
    static final Duration PATIENT = Duration.ofMinutes(1);

    final Lab lab = new Lab();
    final ManualTimer timer = new ManualTimer(lab.time);
    final LockTable table = new LockTable();
    final ClientSettings settings = settings();
    final WaitingRoom room = new WaitingRoom(settings, ChangeFeed.none());
    final Holds holds = new Holds(settings, timer, Runnable::run, new Inline());

    /** Schedules an event after that time from now. */
    void after(Duration delay, Runnable event) {
        timer.schedule(delay, event);
    }

    SetAcquisition begin(Duration wait, String... names) {
        return begin(LockSetRequest.of(List.of(names), TTL).waitAtMost(wait));
    }

    SetAcquisition begin(LockSetRequest request) {
        return new SetAcquisition(settings, request, room, holds);
    }

    /**
     * Runs to the last step; due events happen while the program pauses, and end the pause if they complete its signal.
     */
    <R> Step<R> run(Step<R> first) {
        Step<R> step = first;
        while (step instanceof Step.Pause<R> pause) {
            pass(pause);
            step = pause.then().get();
        }
        return step;
    }

    SetGrant outcome(SetAcquisition acquisition) {
        return ((Step.Done<SetGrant>) run(acquisition.start())).result();
    }

    List<Hold> held(SetAcquisition acquisition) {
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
