package org.mongolocks.study.sim.driver;

import java.time.Duration;
import java.util.Objects;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.mongolocks.study.sim.time.ClientClock;
import org.mongolocks.study.sim.time.VirtualTime;
import org.mongolocks.time.Timer;

/**
 * The process of a client. All its tasks run through here, so that it can pause for a while, be suspended with its
 * machine, or crash. Tasks that become due during a pause run when it resumes, in no particular order. The time of a
 * suspend does not count for a task's delay.
 */
public final class SimulatedProcess {
    private static final long WAKING_NANOS = Duration.ofMillis(2).toNanos();

    private final VirtualTime time;
    private final ClientClock clock;
    private final RandomGenerator waking;
    private boolean crashed;
    private long pausedUntilNanos;
    private long suspendedNanos;

    public SimulatedProcess(VirtualTime time, ClientClock clock, RandomGenerator waking) {
        this.time = time;
        this.clock = clock;
        this.waking = waking;
    }

    public ClientClock clock() {
        return clock;
    }

    /** Schedules a task in this process; without a delay it is not late after a suspend. */
    public VirtualTime.Due after(long nanos, Runnable task) {
        Delayed delayed = new Delayed(task, nanos == 0 ? Long.MAX_VALUE : suspendedNanos);
        VirtualTime.Due due = time.after(nanos, delayed);
        delayed.due = due;
        return due;
    }

    /** Returns a timer that uses this process's clock. */
    public Timer timer() {
        return (delay, task) -> after(clock.realNanos(delay), task)::cancel;
    }

    public void crash() {
        crashed = true;
    }

    public void pause(Duration length) {
        pausedUntilNanos = Math.max(pausedUntilNanos, time.nowNanos() + length.toNanos());
    }

    /** Pauses the process with its machine, whose monotonic clock and timers stand still. */
    public void suspend(Duration length) {
        pause(length);
        suspendedNanos += length.toNanos();
        clock.suspend(length);
    }

    /** A task that runs when the process does, after its delay without suspends. */
    private final class Delayed implements Runnable {
        private final Runnable task;
        /** The time of suspends until it was scheduled, or until it was delayed again. */
        private long knownNanos;

        private VirtualTime.@Nullable Due due;

        Delayed(Runnable task, long knownNanos) {
            this.task = task;
            this.knownNanos = knownNanos;
        }

        @Override
        public void run() {
            VirtualTime.Due own = Objects.requireNonNull(due);
            long missed = suspendedNanos - knownNanos;
            if (crashed) {
                return;
            }
            if (missed > 0) {
                knownNanos = suspendedNanos;
                time.again(own, missed);
            } else if (time.nowNanos() < pausedUntilNanos) {
                time.again(own, pausedUntilNanos - time.nowNanos() + waking.nextLong(WAKING_NANOS));
            } else {
                task.run();
            }
        }
    }
}
