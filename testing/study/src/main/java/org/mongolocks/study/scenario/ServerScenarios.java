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
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** The scenarios with a fault of the server, and those of a sharded cluster. */
final class ServerScenarios {
    private static final Environment REPLICATED = Environment.HEALTHY.replicationLag(Duration.ofMillis(20));
    /** Critical sections long enough to contain an election. */
    private static final Workload STEADY_WORK = new Workload(
            4, 1, DurationRange.millis(50, 500), DurationRange.millis(1_000, 4_000), Duration.ofSeconds(30));

    /** Long enough to contain half a minute of overload. */
    private static final Workload LONG_RUN =
            new Workload(4, 1, DurationRange.millis(50, 500), DurationRange.millis(200, 1_500), Duration.ofSeconds(60));

    private static final int LATE_MONITOR_SECONDS = 600;
    private static final String TAIL = "the primary fails just after a grant, and its last writes are lost";
    private static final int VICTIM = 1;
    private static final LockUsage SHIPPED = LockUsage.of(LockUsage.Use.ALONE);
    /** The skew margin of a client is 20 milliseconds where a lease has 10 seconds. */
    private static final Duration WITHIN_THE_MARGIN = Duration.ofMillis(9);

    private static final Duration BEYOND = Duration.ofSeconds(3);
    /** The bound on the median hand-over, however late events are. */
    private static final Duration HANDOVER = Duration.ofMillis(250);

    private static final Duration PROMPT = Duration.ofSeconds(1);

    private static final Duration NO_OP = Duration.ofSeconds(10);
    private static final Workload BUSY =
            new Workload(3, 2, DurationRange.millis(10, 100), DurationRange.millis(50, 300), Duration.ofSeconds(20));
    /** Mostly the lock is free. */
    private static final Workload RARE = new Workload(
            2, 1, DurationRange.millis(10_000, 30_000), DurationRange.millis(12_000, 18_000), Duration.ofSeconds(150));

    private static final String DIVIDED =
            "the network is partitioned for longer than a lease; a client stays with the former primary";
    private static final String WEAK =
            "; a control: writes do not wait for a majority, although the library requests" + " it";

    private ServerScenarios() {}

    static Stream<Scenario> servers() {
        return Stream.of(
                replicated(REPLICATED, Scenarios.struck("failover", TAIL, ServerScenarios::failOver)),
                replicated(REPLICATED, Scenarios.struck("divided", DIVIDED, Division::new)),
                replicated(
                        REPLICATED.weak(), Scenarios.struck("failover-weak", TAIL + WEAK, ServerScenarios::failOver)),
                replicated(REPLICATED.weak(), Scenarios.struck("divided-weak", DIVIDED + WEAK, Division::new)),
                Scenarios.struck(
                                "ttl-late",
                                "a holder crashes, and the TTL monitor runs every ten minutes",
                                random -> OneShotFault.crash(random, FaultPoint.WORKING))
                        .with(Environment.HEALTHY.ttlMonitorSeconds(LATE_MONITOR_SECONDS)),
                Scenarios.struck(
                        "write-concern-failed",
                        "the server replies to writes with a write concern error",
                        FailedWriteConcern::new),
                Scenarios.struck(
                                "overload",
                                "the server refuses four of five commands for half a minute",
                                random -> new Overload())
                        .with(LONG_RUN),
                Scenarios.struck("stream-stalls", "change streams deliver no more events", random -> new Stall()));
    }

    private static Scenario replicated(Environment environment, Scenario scenario) {
        return scenario.with(STEADY_WORK).with(environment);
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
                routed(
                        "router-clocks",
                        "the clocks of three routers differ by 18 milliseconds, and a holder is disconnected",
                        WITHIN_THE_MARGIN),
                routed(
                        "router-clocks-apart",
                        "the clocks of three routers differ by 6 seconds, and a holder is disconnected",
                        BEYOND),
                shardClock(
                        "shard-clock",
                        "the clocks of all routers are 18 milliseconds ahead of the shard's, and a holder is"
                                + " disconnected",
                        WITHIN_THE_MARGIN.multipliedBy(2)),
                shardClock(
                        "shard-clock-apart",
                        "the clocks of all routers are 6 seconds ahead of the shard's, and a holder is disconnected",
                        BEYOND.multipliedBy(2)),
                late(
                        "late-events",
                        "change streams deliver events 0.1 to 2 seconds late",
                        DurationRange.millis(100, 2_000)),
                late(
                        "late-events-no-op",
                        "change streams deliver events when an idle shard writes its no-op, every 10 seconds",
                        DurationRange.millis(NO_OP.toMillis(), NO_OP.toMillis())),
                lateOpening("late-opening", "")
                        .with(HandoverLimits.NONE.handOver(PROMPT).withoutFailures()),
                lateOpening("late-opening-reactive", "; the driver does not report when they are open")
                        .with(Environment.HEALTHY.reactive()));
    }

    private static Scenario routed(String name, String about, Duration off) {
        Environment routers = Environment.HEALTHY.routers(List.of(off.negated(), Duration.ZERO, off));
        Scenario cut = Scenarios.struck(name, about, random -> new PartitionFault(VICTIM, LEASES_2_4));
        return cut.with(LONG_WORK).with(routers).with(SHIPPED);
    }

    /**
     * A grant by plain operators, which takes a lock that its client has last seen free, stores the time of the shard;
     * routers judge it.
     */
    private static Scenario shardClock(String name, String about, Duration ahead) {
        Environment routers = Environment.HEALTHY.routers(List.of(ahead));
        Scenario cut = Scenarios.struck(name, about, random -> new PartitionFault(random, LEASES_2_4));
        return cut.with(RARE).with(routers).with(SHIPPED);
    }

    private static Scenario late(String name, String about, DurationRange gap) {
        return Scenarios.quiet(name, about, BUSY)
                .with(Environment.HEALTHY.eventGap(gap))
                .with(SHIPPED.handover(HANDOVER));
    }

    private static Scenario lateOpening(String name, String more) {
        return Scenarios.struck(
                        name,
                        "change streams open 10 seconds after the request, and a holder crashes" + more,
                        random -> new LateOpening(OneShotFault.crash(random, FaultPoint.WORKING)))
                .with(SHIPPED);
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

    private record FailedWriteConcern(RandomGenerator random) implements Nemesis {
        @Override
        public void begin(SimulationRun world) {
            world.later(between(random, 500, 3_000), () -> strike(world));
        }

        private void strike(SimulationRun world) {
            if (!world.isOver()) {
                world.leaveNextWriteAmbiguous();
                begin(world);
            }
        }
    }

    private record Overload() implements Nemesis {
        private static final double REFUSED = 0.8;
        private static final Duration LENGTH = Duration.ofSeconds(30);

        @Override
        public void begin(SimulationRun world) {
            world.later(Duration.ofSeconds(10), () -> world.shedLoad(REFUSED, LENGTH));
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

    /** Drops the events of change streams after the first seconds. */
    private static final class Stall implements Nemesis {
        private boolean stalled;

        @Override
        public void begin(SimulationRun world) {
            world.later(Duration.ofSeconds(5), () -> {
                world.fault(0, "change streams tell nothing any more");
                stalled = true;
            });
        }

        @Override
        public MessageFate fate(Message message) {
            boolean swallowed = stalled && message.purpose() == Purpose.WATCH && message.isReply();
            return swallowed ? MessageFate.SWALLOWED : MessageFate.ARRIVES;
        }
    }
}
