package org.mongolocks.study.sim.driver;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.study.sim.time.ClientClock;
import org.mongolocks.study.sim.time.VirtualTime;

/**
 * The process of a client. All its tasks run through here, so that it can pause for a while or crash. Tasks that become
 * due during a pause run when it resumes, in no particular order.
 */
public final class SimulatedProcess {
    private static final long WAKING_NANOS = Duration.ofMillis(2).toNanos();

    private final VirtualTime time;
    private final ClientClock clock;
    private final RandomGenerator waking;
    private boolean crashed;
    private long pausedUntilNanos;

    public SimulatedProcess(VirtualTime time, ClientClock clock, RandomGenerator waking) {
        this.time = time;
        this.clock = clock;
        this.waking = waking;
    }

    public ClientClock clock() {
        return clock;
    }

    /** Schedules a task in this process. */
    public VirtualTime.Due after(long nanos, Runnable task) {
        return time.after(nanos, () -> run(task));
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
