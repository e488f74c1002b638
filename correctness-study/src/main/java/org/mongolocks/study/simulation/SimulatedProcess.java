package org.mongolocks.study.simulation;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.mongolocks.Timer;

/**
 * Is a process of a client: whatever happens in it happens through here, so that it can stand still for a while or stop
 * for good. What is due while it stands still happens when it goes on, in an order that nobody promises.
 */
final class SimulatedProcess {
    private static final long WAKING_NANOS = Duration.ofMillis(2).toNanos();

    private final VirtualTime time;
    private final ClientClock clock;
    private final RandomGenerator waking;
    private boolean crashed;
    private long pausedUntilNanos;

    SimulatedProcess(VirtualTime time, ClientClock clock, RandomGenerator waking) {
        this.time = time;
        this.clock = clock;
        this.waking = waking;
    }

    ClientClock clock() {
        return clock;
    }

    /** Has a task run in this process. */
    VirtualTime.Due after(long nanos, Runnable task) {
        return time.after(nanos, () -> run(task));
    }

    /** Gives a timer that goes by this process's clock. */
    Timer timer() {
        return (delay, task) -> after(clock.realNanos(delay), task)::cancel;
    }

    void crash() {
        crashed = true;
    }

    void pause(Duration length) {
        pausedUntilNanos = Math.max(pausedUntilNanos, time.nowNanos() + length.toNanos());
    }

    private void run(Runnable task) {
        if (crashed) {
            return;
        }
        if (time.nowNanos() < pausedUntilNanos) {
            time.at(pausedUntilNanos + waking.nextLong(WAKING_NANOS), () -> run(task));
        } else {
            task.run();
        }
    }
}
