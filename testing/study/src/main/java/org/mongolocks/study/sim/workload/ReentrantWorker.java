package org.mongolocks.study.sim.workload;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.mongolocks.LockRequest;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.internal.hold.RenewOperation;
import org.mongolocks.study.sim.client.SimulatedClient;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.client.SimulatedReentry;
import org.mongolocks.study.sim.client.SimulatedReentry.Handle;
import org.mongolocks.study.sim.client.SimulatedStepRunner;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload.Locks;
import org.mongolocks.study.sim.driver.SimulatedWorld;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.server.ProtectedResources;
import org.mongolocks.study.technique.Techniques;

/**
 * One thread of a client whose threads share few owners: it acquires, works, may acquire again or renew, and releases
 * everything, in any order.
 */
public final class ReentrantWorker extends Worker {
    private static final int OWNERS = 2;
    private static final int MAX_ENTRIES = 3;

    private final Deque<Handle> entered = new ArrayDeque<>();
    private int owner;

    public ReentrantWorker(SimulatedWorld world, SimulatedClient client, RandomGenerator random) {
        super(world, client, random);
    }

    @Override
    void ask() {
        owner = 1 + random.nextInt(OWNERS);
        enter();
    }

    private void enter() {
        LockRequest request = LockRequest.of(Locks.one(), Techniques.TTL).waitAtMost(client.timeout());
        LockRequest asked = random.nextBoolean() ? request : request.fixedLease();
        new SimulatedReentry(client, owner, asked, this::entered).begin();
    }

    private void entered(Optional<Handle> handle) {
        handle.ifPresent(this::add);
        if (entered.isEmpty()) {
            begin();
        } else {
            work(this::write);
        }
    }

    private void add(Handle handle) {
        if (random.nextBoolean()) {
            entered.addFirst(handle);
        } else {
            entered.addLast(handle);
        }
    }

    /** Reads and writes in one step, because other threads of the same owner work at the same time. */
    private void write() {
        WorkerLock holding = entered.element().holding();
        if (holding.hold().isHeld()) {
            world.at(FaultPoint.CHECKED, client.id());
            afterDelay(() -> {
                ProtectedResources.User user = holding.user(client.id());
                world.resources(0).write(user, world.resources(0).read(user));
            });
        }
        after(2 * Environment.DELAY.mostNanos(), this::next);
    }

    private void next() {
        int what = random.nextInt(4);
        if (what == 0 && entered.size() < MAX_ENTRIES && !world.isOver()) {
            enter();
        } else if (what == 1) {
            renew(this::leave);
        } else {
            leave();
        }
    }

    /** Releases now and then twice, which has no effect. */
    private void leave() {
        if (entered.isEmpty()) {
            begin();
            return;
        }
        Handle next = entered.remove();
        next.release(() -> {
            if (random.nextInt(4) == 0) {
                next.releaseAgain(this::leave);
            } else {
                after(0, this::leave);
            }
        });
    }

    private void renew(Runnable then) {
        WorkerLock holding = entered.element().holding();
        Hold hold = holding.hold();
        RenewOperation renewal =
                RenewOperation.ofHolder(client.settings(), hold, hold.lease().ttl());
        SimulatedStepRunner runner = client.runner(Purpose.RENEW).serving(holding.grant());
        runner.runThenClose(
                renewal::start,
                renewed -> {
                    renewal.close();
                    then.run();
                },
                failure -> {
                    renewal.close();
                    then.run();
                });
    }
}
