package org.mongolocks.study.scenario;

import java.time.Duration;
import java.util.Optional;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** The scenarios with many clients that contend for the lock. */
final class ContentionScenarios {
    private static final Workload HERD =
            new Workload(4, 16, DurationRange.millis(1, 100), DurationRange.millis(5, 20), Duration.ofSeconds(4));
    private static final Workload SMALL_POOL = new Workload(
            2, 8, DurationRange.millis(50, 500), DurationRange.millis(3_000, 14_000), Duration.ofSeconds(50));
    private static final Workload MORTAL =
            new Workload(6, 1, DurationRange.millis(50, 300), DurationRange.millis(500, 1_500), Duration.ofSeconds(30));
    /** The lock is not held for most of the time. */
    private static final Workload SPARSE =
            new Workload(4, 1, DurationRange.millis(500, 3_000), DurationRange.millis(50, 200), Duration.ofSeconds(30));

    private static final int CONNECTIONS = 2;

    private ContentionScenarios() {}

    static Stream<Scenario> all() {
        return Stream.of(
                Scenarios.quiet("herd", "64 threads in 4 clients contend for the lock", HERD),
                Scenarios.quiet(
                                "herd-polls",
                                "64 threads in 4 clients contend for the lock, without change streams",
                                HERD)
                        .with(Environment.HEALTHY.withoutChangeStreams()),
                Scenarios.quiet("small-pool", "8 threads share 2 connections, one of them for a stream", SMALL_POOL)
                        .with(Environment.HEALTHY.connections(CONNECTIONS)),
                Scenarios.struck("interrupted", "threads that acquire the lock are interrupted", Interrupts::new)
                        .with(SPARSE),
                Scenarios.struck(
                                "release-pending",
                                "a thread is interrupted, and its connections break for longer than the command"
                                        + " timeout",
                                PendingCompensationFault::new)
                        .with(SPARSE),
                Scenarios.struck(
                                "waiters-crash",
                                "three of six clients crash while they wait",
                                random -> OneShotFault.anybody(
                                        random, FaultPoint.WORKING, ContentionScenarios::crashOthers))
                        .with(MORTAL));
    }

    private static void crashOthers(SimulationRun world, int holder) {
        IntStream.rangeClosed(1, MORTAL.clients())
                .filter(client -> client != holder)
                .limit(MORTAL.clients() / 2)
                .forEach(world::crash);
    }

    /** Interrupts every third attempt, mostly while its command is in flight. */
    private record Interrupts(RandomGenerator random) implements Nemesis {
        private static final int LONG_MILLIS = 2_000;
        private static final int SHORT_MILLIS = 12;

        @Override
        public Optional<Duration> interruptAfter(int client) {
            int most = random.nextInt(4) == 0 ? LONG_MILLIS : SHORT_MILLIS;
            Duration wait = Duration.ofMillis(random.nextInt(most));
            return random.nextInt(3) == 0 ? Optional.of(wait) : Optional.empty();
        }
    }
}
