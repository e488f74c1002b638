package org.mongolocks.study.scenario;

import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.mongolocks.study.scenario.NetworkScenarios.LostMessages;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.config.Workload.LockUsage.Use;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.MessageFate;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** The scenarios of features that only this library has: several locks, fair requests, and reentrancy. */
final class FeatureScenarios {
    /** Long enough that a deadlock is detected. */
    private static final LockUsage SEVERAL = LockUsage.of(Use.SEVERAL).timeout(Duration.ofSeconds(30));

    private static final Workload SETS =
            new Workload(4, 1, DurationRange.millis(50, 500), DurationRange.millis(200, 1_500), Duration.ofSeconds(40));
    private static final Workload QUEUE =
            new Workload(4, 4, DurationRange.millis(1, 500), DurationRange.millis(50, 300), Duration.ofSeconds(20));
    private static final Workload SAME_NAMES =
            new Workload(3, 4, DurationRange.millis(50, 500), DurationRange.millis(100, 1_000), Duration.ofSeconds(30));
    private static final double OFTEN = 0.1;

    private FeatureScenarios() {}

    static Stream<Scenario> all() {
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
                        .with(SEVERAL),
                Scenarios.struck(
                                "several-lost",
                                "connections break while an acquisition of two or three locks is in flight",
                                random -> new LostMessages(random, Purpose.ACQUIRE, OFTEN))
                        .with(SETS)
                        .with(SEVERAL),
                Scenarios.quiet(
                                "one-by-one-control",
                                "a control: each client acquires two or three locks one by one, in its own order",
                                SETS)
                        .with(LockUsage.of(Use.ONE_BY_ONE).timeout(Duration.ofSeconds(20))));
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
        return Stream.of(
                        Scenarios.quiet(
                                "reentrant", "threads of shared owners acquire, renew and release a lock", SAME_NAMES),
                        Scenarios.struck(
                                "reentrant-lost",
                                "connections break while threads of shared owners acquire, renew and release",
                                LostAnywhere::new),
                        Scenarios.struck(
                                "reentrant-pause",
                                "a client whose threads share owners is paused for 1.5 to 3.5 leases",
                                random -> OneShotFault.pause(random, FaultPoint.WORKING)))
                .map(scenario -> scenario.with(SAME_NAMES).with(LockUsage.of(Use.REENTRANT)));
    }

    /** Most of the time the client waits, holding some of the locks. */
    private record CrashAtAnyMoment(RandomGenerator random) implements Nemesis {
        @Override
        public void begin(SimulationRun world) {
            int victim = 1 + random.nextInt(SETS.clients());
            world.later(Duration.ofMillis(random.nextLong(2_000, 15_000)), () -> world.crash(victim));
        }
    }

    /** Breaks connections now and then, whatever their purpose. */
    private record LostAnywhere(RandomGenerator random) implements Nemesis {
        @Override
        public MessageFate fate(Message message) {
            return random.nextDouble() < OFTEN / 2 ? MessageFate.LOST : MessageFate.ARRIVES;
        }
    }
}
