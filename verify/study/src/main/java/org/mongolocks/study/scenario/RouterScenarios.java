package org.mongolocks.study.scenario;

import static org.mongolocks.study.scenario.Scenarios.LEASES_2_4;
import static org.mongolocks.study.scenario.Scenarios.LONG_WORK;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.study.scenario.NetworkScenarios.PartitionFault;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** The scenarios of a sharded cluster: the clocks of routers, and change streams that wait for an idle shard. */
final class RouterScenarios {
    private static final int VICTIM = 1;
    private static final LockUsage SHIPPED = LockUsage.of(LockUsage.Use.ALONE);
    /** The skew margin of a client is 20 milliseconds where a lease has 10 seconds. */
    private static final Duration WITHIN_THE_MARGIN = Duration.ofMillis(9);

    private static final Duration BEYOND = Duration.ofSeconds(3);
    /** The bound on the median hand-over, however late events are. */
    private static final Duration HANDOVER = Duration.ofMillis(250);

    private static final Duration NO_OP = Duration.ofSeconds(10);
    private static final Workload BUSY =
            new Workload(3, 2, DurationRange.millis(10, 100), DurationRange.millis(50, 300), Duration.ofSeconds(20));

    /** Mostly the lock is free. */
    private static final Workload RARE = new Workload(
            2, 1, DurationRange.millis(10_000, 30_000), DurationRange.millis(12_000, 18_000), Duration.ofSeconds(150));

    private RouterScenarios() {}

    static Stream<Scenario> all() {
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
                        DurationRange.millis(NO_OP.toMillis(), NO_OP.toMillis())));
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
}
