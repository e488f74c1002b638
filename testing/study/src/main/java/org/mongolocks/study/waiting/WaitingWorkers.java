package org.mongolocks.study.waiting;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.study.sim.Simulation;
import org.mongolocks.study.sim.Simulation.Measurement;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.client.SimulatedClient;
import org.mongolocks.study.sim.client.SimulatedClient.WorkerLock;
import org.mongolocks.study.sim.driver.CommandExchange.WireTrace;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;
import org.mongolocks.study.technique.Techniques;
import org.mongolocks.study.waiting.WaitingCase.Load;

/** The workers of a measured run: they acquire, work and release, or wait for locks that stay held. */
public final class WaitingWorkers implements Measurement {
    /** Longer than any run: no acquisition ends without its lock, and no lock that stays held expires. */
    private static final Duration LONG = Duration.ofHours(1);

    /** The client without a change stream, where there is one. */
    static final int POLLER = 1;

    /** The others do not wait. */
    private static final int WAITERS_BESIDE_CALLERS = 2;

    /** The wait of those that give up early. */
    static final DurationRange SHORT_WAIT = DurationRange.millis(10, 300);

    private static final LockName GUARDED = LockName.of("guarded");
    private static final Duration GUARDED_WORK = Duration.ofMillis(1_500);
    private static final Duration MINIMUM_HOLD = Duration.ofMillis(50);
    private static final int HOLDER = 1;
    private static final int HELD_AT_ONCE = 50;

    private final WaitingCase its;
    private final WaitingMeter meter;
    private final SimulationRun run;
    private final List<Runnable> whenAllAreHeld = new ArrayList<>();
    private int holders;
    private int held;
    private int waiters;
    private final Set<Integer> guarding = new HashSet<>();
    private boolean haveDied;

    private WaitingWorkers(WaitingCase its, WaitingMeter meter, SimulationRun run) {
        this.its = its;
        this.meter = meter;
        this.run = run;
    }

    /**
     * Runs a case.
     *
     * @param seed the seed of all randomness
     * @return the result, always the same for the same case and seed
     */
    public static WaitingResult run(WaitingCase its, long seed) {
        WaitingMeter[] meter = new WaitingMeter[1];
        Simulation.measure(its.scenario(), its.technique(), seed, run -> {
            meter[0] = new WaitingMeter(its, run.world()::nowNanos);
            return its.load().isScene() ? new WaitingScene(its, meter[0], run) : new WaitingWorkers(its, meter[0], run);
        });
        return meter[0].result();
    }

    @Override
    public WireTrace trace() {
        return meter;
    }

    @Override
    public void work(SimulatedClient client, RandomGenerator random) {
        if (its.load() == Load.GUARDED && guarding.add(client.id())) {
            guard(client, random);
        } else if (its.load() != Load.HELD) {
            next(client, random);
        } else if (client.id() == HOLDER) {
            for (; holders < Math.min(HELD_AT_ONCE, its.locks()); holders++) {
                hold(client, holders);
            }
        } else if (waiters < its.locks()) {
            LockName name = name(waiters++);
            whenAllAreHeld.add(() -> await(client, random, name));
        }
    }

    private void next(SimulatedClient client, RandomGenerator random) {
        client.process().after(run.world().workload().think().draw(random), () -> ask(client, random));
    }

    private void ask(SimulatedClient client, RandomGenerator random) {
        LockRequest request = request(client, random);
        WaitingMeter.Asked asked = meter.asks(request, client.id());
        client.acquire(
                request,
                granted -> granted.ifPresentOrElse(lock -> hold(client, random, asked, lock), () -> {
                    meter.gaveUp(asked);
                    next(client, random);
                }));
    }

    private LockRequest request(SimulatedClient client, RandomGenerator random) {
        boolean mayGiveUp = its.load() == Load.GIVE_UP || its.load() == Load.INTERRUPTED;
        LockName name = name(random.nextInt(its.locks()));
        if (its.load() == Load.CALLERS && client.id() > WAITERS_BESIDE_CALLERS) {
            return LockRequest.of(name, Techniques.TTL);
        }
        Duration wait = mayGiveUp && random.nextBoolean() ? Duration.ofNanos(SHORT_WAIT.draw(random)) : LONG;
        LockRequest request =
                its.order().of(LockRequest.of(name, Techniques.TTL).waitAtMost(wait), random);
        return its.load() == Load.HOLD_AT_LEAST ? request.holdAtLeast(MINIMUM_HOLD) : request;
    }

    private void hold(SimulatedClient client, RandomGenerator random, WaitingMeter.Asked asked, WorkerLock lock) {
        meter.granted(asked, lock);
        if (!haveDied
                && its.load().isOfDying()
                && run.world().nowNanos() >= its.death().toNanos()) {
            letHalfDie(asked, random);
        }
        long work = run.world().workload().work().draw(random);
        client.process().after(work, () -> client.release(lock, () -> next(client, random)));
    }

    /** Acquires another lock than the measured one, for a long transaction, again and again. */
    private void guard(SimulatedClient client, RandomGenerator random) {
        client.process()
                .after(
                        run.world().workload().think().draw(random),
                        () -> client.acquire(
                                LockRequest.of(GUARDED, Techniques.TTL).waitAtMost(LONG), granted -> {
                                    WorkerLock lock = granted.orElseThrow();
                                    client.writeGuarded(
                                            lock,
                                            GUARDED_WORK.toNanos(),
                                            held -> client.release(lock, () -> guard(client, random)));
                                }));
    }

    /** Crashes half of the clients, if so many wait, while another one, which lives on, holds the lock. */
    private void letHalfDie(WaitingMeter.Asked held, RandomGenerator random) {
        List<Integer> waiting = new ArrayList<>(meter.waitingFor(held));
        int half = its.clients() / 2;
        if (waiting.size() < half) {
            return;
        }
        haveDied = true;
        for (int count = 0; count < half; count++) {
            int client = waiting.remove(random.nextInt(waiting.size()));
            meter.died(client);
            run.crash(client);
        }
    }

    /** Acquires a lock, and then one lock in so many after it, one after the other. */
    private void hold(SimulatedClient client, int number) {
        if (number < its.locks()) {
            client.acquire(
                    LockRequest.of(name(number), LONG).waitAtMost(LONG),
                    granted -> granted.ifPresent(lock -> {
                        countHeld();
                        hold(client, number + HELD_AT_ONCE);
                    }));
        }
    }

    /** Lets the waiters begin when all locks are held: one that came earlier would acquire its lock. */
    private void countHeld() {
        held++;
        if (held == its.locks()) {
            whenAllAreHeld.forEach(Runnable::run);
            whenAllAreHeld.clear();
        }
    }

    private void await(SimulatedClient client, RandomGenerator random, LockName name) {
        LockRequest request = LockRequest.of(name, Techniques.TTL).waitAtMost(LONG);
        client.process().after(run.world().workload().think().draw(random), () -> {
            meter.asks(request, client.id());
            client.acquire(request, granted -> {
                throw new IllegalStateException("Acquired '" + name + "', which another client holds");
            });
        });
    }

    private static LockName name(int number) {
        return LockName.of("lock-" + number);
    }
}
