package org.mongolocks.study.scenario;

import static org.mongolocks.study.scenario.Scenarios.LEASES_2_4;
import static org.mongolocks.study.scenario.Scenarios.LONG_WORK;
import static org.mongolocks.study.technique.Techniques.TTL;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.mongolocks.study.check.Promptness.HandoverLimits;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.Environment.Callbacks;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.MessageFate;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** The scenarios with many clients, and those of clients whose resources fail them: connections, executors, and the machine. */
final class ContentionScenarios {
    /** The lock is not held for most of the time. */
    private static final Workload SPARSE =
            new Workload(4, 1, DurationRange.millis(500, 3_000), DurationRange.millis(50, 200), Duration.ofSeconds(30));

    private static final int VICTIM = 1;
    /** A renewal has time for as many, and three tries more. */
    private static final int STALE_CONNECTIONS = 4;

    private static final Duration NOTICE = Duration.ofMillis(100);
    /** The suspend begins within the critical section. */
    private static final Duration SOON = Duration.ofMillis(100);

    private static final LockUsage SEVERAL = LockUsage.of(LockUsage.Use.SEVERAL).timeout(Duration.ofSeconds(30));
    private static final Workload LONG_SETS = new Workload(
            3, 2, DurationRange.millis(50, 1_000), DurationRange.millis(8_000, 13_000), Duration.ofSeconds(80));
    private static final Workload MANY =
            new Workload(64, 1, DurationRange.millis(1, 100), DurationRange.millis(5, 20), Duration.ofSeconds(3));

    private ContentionScenarios() {}

    static Stream<Scenario> contention() {
        return Stream.of(
                Scenarios.struck("interrupted", "threads that acquire the lock are interrupted", Interrupts::new)
                        .with(SPARSE),
                Scenarios.struck(
                                "release-pending",
                                "a thread is interrupted, and its connections break for longer than the command"
                                        + " timeout",
                                PendingCompensationFault::new)
                        .with(SPARSE));
    }

    static Stream<Scenario> load() {
        return Stream.of(
                Scenarios.struck(
                                "stale-connections",
                                "all pooled connections become stale, four idle ones of each client or more; new ones"
                                        + " work",
                                random -> OneShotFault.anybody(
                                        random,
                                        FaultPoint.WORKING,
                                        (world, holder) -> world.makeConnectionsStale(STALE_CONNECTIONS)))
                        .with(LONG_WORK)
                        .with(Environment.HEALTHY.ttlMonitorSeconds(1))
                        .with(HandoverLimits.NONE.lossesOnlyOf(Set.of())),
                fullExecutors(),
                Scenarios.struck(
                                "suspended-machine",
                                "the machine of a holder is suspended for 0.5 to 3.5 leases, and its monotonic clock"
                                        + " stands still",
                                ContentionScenarios::suspend)
                        .with(LONG_WORK),
                Scenarios.quiet("many-clients", "64 clients contend for the lock", MANY)
                        .with(LockUsage.of(LockUsage.Use.ALONE))
                        .with(HandoverLimits.NONE.shared()));
    }

    private static Scenario fullExecutors() {
        return Scenarios.struck(
                        "full-executors",
                        "the users' callbacks block their executors for ever, and a client's renewals are lost for 2.4"
                                + " leases",
                        random -> new LostRenewals())
                .with(LONG_SETS)
                .with(Environment.HEALTHY.callbacks(Callbacks.BLOCK))
                .with(SEVERAL)
                .with(HandoverLimits.NONE.lossNotice(NOTICE).lossesOnlyOf(Set.of(VICTIM)));
    }

    private static Nemesis suspend(RandomGenerator random) {
        Duration length = TTL.multipliedBy(random.nextLong(50, 350)).dividedBy(100);
        return OneShotFault.anybody(
                random, FaultPoint.WORKING, (world, victim) -> world.later(SOON, () -> world.suspend(victim, length)));
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

    /** Loses the renewals of one client for a while, without an error. */
    private static final class LostRenewals implements Nemesis {
        private final OneShotFault begin;
        private boolean active;

        LostRenewals() {
            this.begin = OneShotFault.first(FaultPoint.WORKING, client -> client == VICTIM, (world, client) -> {
                world.fault(client, "its renewals are lost for " + LEASES_2_4);
                active = true;
                world.later(LEASES_2_4, () -> active = false);
            });
        }

        @Override
        public void at(FaultPoint moment, SimulationRun world, int client) {
            begin.at(moment, world, client);
        }

        @Override
        public MessageFate fate(Message message) {
            boolean hit = active && message.client() == VICTIM && message.purpose() == Purpose.RENEW;
            return hit ? MessageFate.SWALLOWED : MessageFate.ARRIVES;
        }
    }
}
