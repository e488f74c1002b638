package org.mongolocks.study.waiting;

import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.study.sim.Simulation.Measurement;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.client.SimulatedClient;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.driver.CommandExchange.WireTrace;
import org.mongolocks.study.technique.Techniques;
import org.mongolocks.study.waiting.WaitingCase.Load;

/**
 * The first client holds a lock while the others begin to wait, one after the other. The first of these give up or die,
 * the lock becomes free, and each client that is left acquires it once.
 */
record WaitingScene(WaitingCase its, WaitingMeter meter, SimulationRun run) implements Measurement {
    /** Long enough for the last waiter behind a hundred dead clients. */
    static final Duration LENGTH = Duration.ofSeconds(60);

    private static final LockName NAME = LockName.of("lock");
    private static final int HOLDER = 1;
    /** The client that waits first. */
    static final int FIRST = HOLDER + 1;

    private static final Duration BETWEEN = Duration.ofMillis(20);
    private static final Duration LEFT = Duration.ofSeconds(3);
    private static final Duration END = Duration.ofSeconds(4);
    private static final Duration WORK = Duration.ofMillis(10);
    private static final Duration LONG_WORK = Duration.ofMillis(200);
    private static final Duration LONG = Duration.ofHours(1);

    @Override
    public WireTrace trace() {
        return meter;
    }

    @Override
    public void work(SimulatedClient client, RandomGenerator random) {
        if (client.id() == HOLDER) {
            Duration ttl = its.load() == Load.LEASE_ENDS ? END : Techniques.TTL;
            LockRequest request = LockRequest.of(NAME, ttl).waitAtMost(LONG);
            WaitingMeter.Asked asked = meter.asks(request, HOLDER);
            client.acquire(request, granted -> {
                meter.granted(asked, granted.orElseThrow());
                run.later(LEFT, this::letDie);
                run.later(END, () -> end(client, granted.orElseThrow()));
            });
        } else {
            client.process().after(BETWEEN.multipliedBy(client.id()).toNanos(), () -> await(client, random));
        }
    }

    /** The holder is the client before the first that waits. */
    private int lastThatLeaves() {
        return HOLDER
                + switch (its.load()) {
                    case FIRST_HALF_DIES -> its.clients() / 2;
                    case FIRST_FOUR_DIE -> 4;
                    case LATE_HEAD -> 0;
                    default -> its.clients() - 1;
                };
    }

    private boolean isOfGivingUp() {
        return its.load() == Load.LEASE_ENDS || its.load() == Load.HOLDER_CRASHES;
    }

    private void letDie() {
        if (!isOfGivingUp()) {
            IntStream.rangeClosed(FIRST, lastThatLeaves()).forEach(client -> {
                meter.died(client);
                run.crash(client);
            });
        }
    }

    private void end(SimulatedClient holder, WorkerLock lock) {
        if (its.load() == Load.HOLDER_CRASHES) {
            run.crash(HOLDER);
        } else if (its.load() != Load.LEASE_ENDS) {
            holder.release(lock, () -> {});
        }
    }

    private void await(SimulatedClient client, RandomGenerator random) {
        boolean givesUp = isOfGivingUp() && client.id() <= lastThatLeaves();
        Duration wait = givesUp ? LEFT.minusNanos(run.world().nowNanos()) : LONG;
        LockRequest request =
                its.order().of(LockRequest.of(NAME, Techniques.TTL).waitAtMost(wait), random);
        WaitingMeter.Asked asked = meter.asks(request, client.id());
        client.acquire(
                request,
                granted -> granted.ifPresentOrElse(
                        lock -> {
                            meter.granted(asked, lock);
                            Duration work = its.load() == Load.LATE_HEAD ? LONG_WORK : WORK;
                            client.process().after(work.toNanos(), () -> client.release(lock, () -> {}));
                        },
                        () -> meter.gaveUp(asked)));
    }
}
