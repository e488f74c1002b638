package org.mongolocks.study.sim.workload;

import static org.mongolocks.study.history.Event.Op.ABORT;
import static org.mongolocks.study.history.Event.Phase.OK;

import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.mongolocks.LockName;
import org.mongolocks.study.sim.client.SimulatedClient;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.config.Workload.Locks;
import org.mongolocks.study.sim.driver.SimulatedWorld;
import org.mongolocks.study.sim.server.ProtectedResources;

/** One thread of a client that needs two or more locks for its work, named in any order. */
public final class MultiLockWorker extends Worker {

    public MultiLockWorker(SimulatedWorld world, SimulatedClient client, RandomGenerator random) {
        super(world, client, random);
    }

    @Override
    void ask() {
        List<LockName> names = names();
        if (world.usage().use() == LockUsage.Use.ONE_BY_ONE) {
            oneByOne(names, new ArrayList<>());
        } else {
            client.acquireAll(names, this::enter);
        }
    }

    private List<LockName> names() {
        List<LockName> all = new ArrayList<>();
        for (int number = 1; number <= Locks.SEVERAL; number++) {
            all.add(random.nextInt(all.size() + 1), Locks.named(number));
        }
        return all.subList(0, 2 + random.nextInt(Locks.SEVERAL - 1));
    }

    /** Keeps its locks while it waits for the next, which the documentation advises against. */
    private void oneByOne(List<LockName> names, List<WorkerLock> held) {
        if (held.size() == names.size()) {
            enter(held);
            return;
        }
        client.acquire(names.get(held.size()), holding -> {
            holding.ifPresent(held::add);
            if (holding.isPresent() && !world.isOver()) {
                oneByOne(names, held);
            } else {
                leave(held, this::begin);
            }
        });
    }

    private void enter(List<WorkerLock> held) {
        if (held.isEmpty()) {
            begin();
        } else if (world.isOver()) {
            leave(held, () -> {});
        } else {
            afterDelay(() -> read(held));
        }
    }

    private void read(List<WorkerLock> held) {
        List<ProtectedResources.Values> values = held.stream()
                .map(holding -> world.resources(holding.lock()).read(holding.user(client.id())))
                .toList();
        afterDelay(() -> after(0, () -> work(() -> write(held, values))));
    }

    private void write(List<WorkerLock> held, List<ProtectedResources.Values> values) {
        if (!held.stream().allMatch(holding -> holding.hold().isHeld())) {
            client.line(ABORT, OK, held.get(0)).add();
            leave(held, this::begin);
            return;
        }
        afterDelay(() -> {
            for (int i = 0; i < held.size(); i++) {
                WorkerLock holding = held.get(i);
                world.resources(holding.lock()).write(holding.user(client.id()), values.get(i));
            }
            afterDelay(() -> after(0, () -> leave(held, this::begin)));
        });
    }

    /** Releases one after another, as the library does. */
    private void leave(List<WorkerLock> held, Runnable then) {
        if (held.isEmpty()) {
            then.run();
        } else {
            List<WorkerLock> rest = held.subList(1, held.size());
            client.release(held.get(0), () -> leave(rest, then));
        }
    }
}
