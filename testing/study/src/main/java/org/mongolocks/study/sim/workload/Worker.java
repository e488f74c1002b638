package org.mongolocks.study.sim.workload;

import java.util.random.RandomGenerator;
import org.mongolocks.study.sim.client.SimulatedClient;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.driver.SimulatedWorld;

/** One thread of a client, which thinks, asks for locks, and begins again, until the workload has ended. */
public abstract sealed class Worker permits SimulatedWorker, ReentrantWorker, MultiLockWorker, LeaderWorker {
    final SimulatedWorld world;
    final SimulatedClient client;
    final RandomGenerator random;

    Worker(SimulatedWorld world, SimulatedClient client, RandomGenerator random) {
        this.world = world;
        this.client = client;
        this.random = random;
    }

    /** Asks for locks after a time of thinking, if the workload has not ended by then. */
    public final void begin() {
        after(world.workload().think().draw(random), () -> {
            if (!world.isOver()) {
                ask();
            }
        });
    }

    /** Asks for locks; calls {@link #begin} when the work under them is done. */
    abstract void ask();

    /** Runs a task after the time of work in a critical section. */
    final void work(Runnable then) {
        world.at(FaultPoint.WORKING, client.id());
        after(world.workload().work().draw(random), then);
    }

    /** Runs a task after the latency of a message, even if the process is paused or crashed. */
    final void afterDelay(Runnable then) {
        world.time().after(oneWay(), then);
    }

    /** Draws the latency of a message. */
    final long oneWay() {
        return Environment.DELAY.draw(random);
    }

    /** Runs a task of the process after a time. */
    final void after(long nanos, Runnable task) {
        client.process().after(nanos, task);
    }
}
