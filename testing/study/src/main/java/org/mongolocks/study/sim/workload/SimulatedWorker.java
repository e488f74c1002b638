package org.mongolocks.study.sim.workload;

import static org.mongolocks.study.history.Event.Op.ABORT;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.mongolocks.study.sim.client.SimulatedClient;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.driver.SimulatedWorld;
import org.mongolocks.study.sim.server.ProtectedResources;
import org.mongolocks.study.sim.time.VirtualTime.RunOnce;

/** One thread of a client: it thinks, acquires, reads, works, checks the lease, writes, and releases. */
public final class SimulatedWorker extends Worker {
    /** How long it waits for the resources to confirm a write, in addition to the longest round trip. */
    private static final long TIMEOUT_NANOS = Duration.ofMillis(200).toNanos();

    /** How often a holder works and writes in one critical section. */
    public static final int MAX_WRITES = 2;

    public SimulatedWorker(SimulatedWorld world, SimulatedClient client, RandomGenerator random) {
        super(world, client, random);
    }

    @Override
    void ask() {
        client.acquire(client.timeout(), holding -> holding.ifPresentOrElse(this::enter, this::begin));
    }

    /** Releases a lock that is acquired after the end of the run at once. */
    private void enter(WorkerLock holding) {
        if (world.isOver()) {
            client.release(holding, () -> {});
            return;
        }
        world.at(FaultPoint.GRANTED, client.id());
        after(0, () -> read(holding));
    }

    private void read(WorkerLock holding) {
        afterDelay(() -> {
            ProtectedResources.Values values = world.resources().read(holding.user(client.id()));
            afterDelay(() -> client.process()
                    .after(0, () -> work(new Section(holding, values), 1 + random.nextInt(MAX_WRITES))));
        });
    }

    /** The state of a holder's critical section. */
    private record Section(WorkerLock holding, ProtectedResources.Values values) {
        Section afterWrite() {
            return new Section(holding, values.plus(1));
        }
    }

    private void work(Section section, int writes) {
        work(() -> check(section, writes));
    }

    private void check(Section section, int writes) {
        if (client.isShipped() && !section.holding().hold().isHeld()) {
            abort(section);
            return;
        }
        world.at(FaultPoint.CHECKED, client.id());
        after(0, () -> write(section, writes));
    }

    private void write(Section section, int writes) {
        long delay = world.delayOfWrite(client.id()).toNanos();
        RunOnce next = new RunOnce(() -> after(0, () -> guard(section.afterWrite(), writes - 1)));
        world.time().after(delay + oneWay(), () -> {
            world.resources().write(section.holding().user(client.id()), section.values());
            afterDelay(next);
        });
        after(TIMEOUT_NANOS + 2 * Environment.DELAY.mostNanos(), next);
    }

    /** Writes to the database of the lock last, in a guarded transaction; articles have none. */
    private void guard(Section section, int writes) {
        if (client.isShipped()) {
            client.writeGuarded(section.holding(), held -> {
                if (held) {
                    written(section, writes);
                } else {
                    abort(section);
                }
            });
        } else {
            written(section, writes);
        }
    }

    private void written(Section section, int writes) {
        if (writes > 0) {
            work(section, writes);
        } else {
            leave(section);
        }
    }

    private void abort(Section section) {
        client.line(ABORT, OK, section.holding().grant()).add();
        leave(section);
    }

    private void leave(Section section) {
        world.at(FaultPoint.DONE, client.id());
        after(0, () -> client.release(section.holding(), this::begin));
    }
}
