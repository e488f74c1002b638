package org.mongolocks.study.scenario;

import static org.mongolocks.study.scenario.Scenarios.LEASES_2_4;
import static org.mongolocks.study.scenario.Scenarios.LEASES_3;

import java.time.Duration;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.mongolocks.study.scenario.NetworkScenarios.PartitionFault;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.client.SimulatedOperator;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.config.Workload.LockUsage.Use;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** The scenarios of features that only this library has: several locks, fair requests, reentrancy, and leader election. */
final class FeatureScenarios {
    /** Long enough that a deadlock is detected. */
    private static final LockUsage SEVERAL = LockUsage.of(Use.SEVERAL).timeout(Duration.ofSeconds(30));

    private static final Workload SETS =
            new Workload(4, 1, DurationRange.millis(50, 500), DurationRange.millis(200, 1_500), Duration.ofSeconds(40));
    private static final Workload QUEUE =
            new Workload(4, 4, DurationRange.millis(1, 500), DurationRange.millis(50, 300), Duration.ofSeconds(20));
    private static final Workload SAME_NAMES =
            new Workload(3, 4, DurationRange.millis(50, 500), DurationRange.millis(100, 1_000), Duration.ofSeconds(30));
    private static final Workload TWO = new Workload(
            2, 1, DurationRange.millis(50, 1_000), DurationRange.millis(500, 3_000), Duration.ofSeconds(60));
    private static final LockUsage LEAD = LockUsage.of(Use.LEAD).timeout(Duration.ofSeconds(20));
    private static final LockUsage LEAD_SETTLED = LockUsage.of(Use.LEAD_SETTLED).timeout(Duration.ofSeconds(20));
    /** A wall clock that is behind and runs slowly, and a monotonic clock as slow as NTP allows. */
    private static final ClockFault WRONG = new ClockFault(LEASES_3.negated(), 0.6, 0.9995);

    private static final int VICTIM = 1;

    private FeatureScenarios() {}

    static Stream<Scenario> features() {
        return Stream.of(several(), inOrder(), reentrant()).flatMap(scenarios -> scenarios);
    }

    private static Stream<Scenario> several() {
        return Stream.of(
                Scenarios.quiet("several", "each client acquires two or three of three locks", SETS)
                        .with(SEVERAL),
                Scenarios.struck(
                                "several-crash",
                                "a client crashes at any time, and each client acquires two or three of three locks",
                                CrashAtAnyMoment::new)
                        .with(SETS)
                        .with(SEVERAL));
    }

    private static Stream<Scenario> inOrder() {
        return Stream.of(
                Scenarios.quiet("in-order", "16 threads in 4 clients make fair requests", QUEUE)
                        .with(LockUsage.of(Use.IN_ORDER)),
                Scenarios.struck(
                                "in-order-crash",
                                "two of four clients crash, with all their fair waiters",
                                random -> OneShotFault.anybody(
                                        random, FaultPoint.WORKING, FeatureScenarios::crashTwoOthers))
                        .with(QUEUE)
                        .with(LockUsage.of(Use.IN_ORDER)));
    }

    private static void crashTwoOthers(SimulationRun world, int holder) {
        world.crash(1 + holder % SETS.clients());
        world.crash(1 + (holder + 1) % SETS.clients());
    }

    private static Stream<Scenario> reentrant() {
        return Stream.of(Scenarios.struck(
                        "reentrant",
                        "threads of shared owners acquire, renew and release a lock, and a client is paused for 1.5 to"
                                + " 3.5 leases",
                        random -> OneShotFault.pause(random, FaultPoint.WORKING))
                .with(SAME_NAMES)
                .with(LockUsage.of(Use.REENTRANT)));
    }

    static Stream<Scenario> leaders() {
        return Stream.of(
                struck(
                        "leader-pause",
                        "a leader is paused for 1.5 to 3.5 leases",
                        random -> OneShotFault.pause(random, FaultPoint.WORKING)),
                struck(
                                "leader-cut-off",
                                "a leader is disconnected for 2.4 leases, and continues to work; its wall clock is 3"
                                        + " leases behind and slow, and its monotonic clock as slow as NTP allows",
                                random -> new PartitionFault(VICTIM, LEASES_2_4))
                        .with(WRONG),
                struck(
                                "leader-forced",
                                "an operator force-releases the role of a leader, which is disconnected before it"
                                        + " notices; a new leader settles for a lease",
                                FeatureScenarios::forced)
                        .with(LEAD_SETTLED));
    }

    private static Scenario struck(String name, String about, Function<RandomGenerator, Nemesis> nemesis) {
        return Scenarios.struck(name, about, nemesis).with(TWO).with(LEAD);
    }

    /** Force-releases the role, and disconnects its leader for longer than its lease. */
    private static Nemesis forced(RandomGenerator random) {
        return new PartitionFault(partition -> OneShotFault.anybody(random, FaultPoint.WORKING, (world, any) -> {
            SimulatedOperator operator = world.operator();
            operator.look(leader -> {
                partition.cut(world, leader, LEASES_2_4);
                operator.forceRelease();
            });
        }));
    }

    /** Most of the time the client waits, holding some of the locks. */
    private record CrashAtAnyMoment(RandomGenerator random) implements Nemesis {
        @Override
        public void begin(SimulationRun world) {
            int victim = 1 + random.nextInt(SETS.clients());
            world.later(Duration.ofMillis(random.nextLong(2_000, 15_000)), () -> world.crash(victim));
        }
    }
}
