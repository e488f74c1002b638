package org.mongolocks.study.scenario;

import static org.mongolocks.study.scenario.Scenarios.LONG_WORK;
import static org.mongolocks.study.technique.Techniques.TTL;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.study.scenario.NetworkScenarios.PartitionFault;
import org.mongolocks.study.sim.Environment;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Workload;
import org.mongolocks.study.sim.Workload.LockUsage;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** The scenarios of a sharded cluster: the clocks of routers, and change streams that wait for an idle shard. */
final class RouterScenarios {
    private static final int VICTIM = 1;
    private static final Duration CUT = TTL.multipliedBy(24).dividedBy(10);
    private static final LockUsage SHIPPED = LockUsage.of(LockUsage.Use.ALONE);
    /** The skew margin of a client is 20 milliseconds where a lease has 10 seconds. */
    private static final Duration WITHIN_THE_MARGIN = Duration.ofMillis(9);

    private static final Duration BEYOND = Duration.ofSeconds(3);
    /** The bound on the median hand-over, however late events are. */
    private static final Duration HANDOVER = Duration.ofMillis(250);

    private static final Duration NO_OP = Duration.ofSeconds(10);
    private static final Workload BUSY =
            new Workload(3, 2, DurationRange.millis(10, 100), DurationRange.millis(50, 300), Duration.ofSeconds(20));

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
        Scenario cut = Scenarios.struck(name, about, random -> new PartitionFault(VICTIM, CUT));
        return Scenarios.used(SHIPPED, Scenarios.in(routers, Scenarios.doing(LONG_WORK, cut)));
    }

    private static Scenario late(String name, String about, DurationRange gap) {
        return Scenarios.used(
                SHIPPED.handover(HANDOVER),
                Scenarios.in(Environment.HEALTHY.eventGap(gap), Scenarios.quiet(name, about, BUSY)));
    }
}
