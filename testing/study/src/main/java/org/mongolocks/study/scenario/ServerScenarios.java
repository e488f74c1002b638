package org.mongolocks.study.scenario;

import static org.mongolocks.study.scenario.Scenarios.LEASES_2_4;
import static org.mongolocks.study.scenario.Scenarios.LONG_WORK;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.mongolocks.study.check.Promptness.HandoverLimits;
import org.mongolocks.study.scenario.NetworkScenarios.PartitionFault;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.driver.SimulatedFeed;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.MessageFate;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** The scenarios with a fault of the server, and those of a sharded cluster. */
final class ServerScenarios {
    private static final Environment REPLICATED = Environment.HEALTHY.replicationLag(Duration.ofMillis(20));
    /** Critical sections long enough to contain an election. */
    private static final Workload STEADY_WORK = new Workload(
            4, 1, DurationRange.millis(50, 500), DurationRange.millis(1_000, 4_000), Duration.ofSeconds(30));

    private static final int VICTIM = 1;
    private static final LockUsage SHIPPED = LockUsage.of(LockUsage.Use.ALONE);
    /** The skew margin of a client is 20 milliseconds where a lease has 10 seconds. */
    private static final Duration WITHIN_THE_MARGIN = Duration.ofMillis(9);

    /** The bound on the median hand-over, however late events are. */
    private static final Duration HANDOVER = Duration.ofMillis(250);

    private static final Duration PROMPT = Duration.ofSeconds(1);

    private static final Workload BUSY =
            new Workload(3, 2, DurationRange.millis(10, 100), DurationRange.millis(50, 300), Duration.ofSeconds(20));

    private ServerScenarios() {}

    static Stream<Scenario> servers() {
        return Stream.of(
                replicated(Scenarios.struck(
                        "failover",
                        "the primary fails just after a grant, and its last writes are lost",
                        ServerScenarios::failOver)),
                replicated(Scenarios.struck(
                        "divided",
                        "the network is partitioned for longer than a lease; a client stays with the former primary",
                        Division::new)));
    }

    private static Scenario replicated(Scenario scenario) {
        return scenario.with(STEADY_WORK).with(REPLICATED);
    }

    private static Duration between(RandomGenerator random, int leastMillis, int mostMillis) {
        return Duration.ofMillis(random.nextLong(leastMillis, mostMillis));
    }

    /** A failover just after a grant that is not yet replicated: the failover loses the grant itself. */
    private static Nemesis failOver(RandomGenerator random) {
        return OneShotFault.anybody(random, FaultPoint.GRANTED, (world, holder) -> {
            world.haltReplication();
            world.later(between(random, 50, 500), () -> world.failOver(between(random, 200, 1_000)));
        });
    }

    static Stream<Scenario> routers() {
        return Stream.of(
                Scenarios.struck(
                                "router-clocks",
                                "the clocks of three routers differ by 18 milliseconds, and a holder is disconnected",
                                random -> new PartitionFault(VICTIM, LEASES_2_4))
                        .with(LONG_WORK)
                        .with(Environment.HEALTHY.routers(
                                List.of(WITHIN_THE_MARGIN.negated(), Duration.ZERO, WITHIN_THE_MARGIN)))
                        .with(SHIPPED),
                Scenarios.quiet("late-events", "change streams deliver events 0.1 to 2 seconds late", BUSY)
                        .with(Environment.HEALTHY.eventGap(DurationRange.millis(100, 2_000)))
                        .with(SHIPPED.handover(HANDOVER)),
                Scenarios.struck(
                                "late-opening",
                                "change streams open 10 seconds after the request, and a holder crashes",
                                random -> new LateOpening(OneShotFault.crash(random, FaultPoint.WORKING)))
                        .with(SHIPPED)
                        .with(HandoverLimits.NONE.handOver(PROMPT).withoutFailures()));
    }

    private record Division(RandomGenerator random) implements Nemesis {
        /** A former primary steps down about ten seconds after it has lost its majority. */
        private static final Duration LENGTH = Duration.ofSeconds(12);

        @Override
        public void begin(SimulationRun world) {
            world.later(between(random, 3_000, 8_000), () -> {
                world.divide(Set.of(1), between(random, 500, 4_000));
                world.later(LENGTH, world::unite);
            });
        }
    }

    /** Delays each request for a change stream. */
    private record LateOpening(Nemesis other) implements Nemesis {
        private static final Duration LENGTH = Duration.ofSeconds(10);

        @Override
        public void at(FaultPoint moment, SimulationRun world, int client) {
            other.at(moment, world, client);
        }

        @Override
        public MessageFate fate(Message message) {
            boolean opens = message.label().equals(SimulatedFeed.OPENING) && !message.isReply();
            return opens ? MessageFate.delayed(LENGTH) : MessageFate.ARRIVES;
        }
    }
}
