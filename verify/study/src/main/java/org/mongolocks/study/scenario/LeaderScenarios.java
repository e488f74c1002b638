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
import org.mongolocks.study.sim.client.SimulatedOperator;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.config.Workload.LockUsage.Use;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** The scenarios of leader election: two candidates for one role. */
final class LeaderScenarios {
    private static final Workload TWO = new Workload(
            2, 1, DurationRange.millis(50, 1_000), DurationRange.millis(500, 3_000), Duration.ofSeconds(60));
    private static final LockUsage LEAD = LockUsage.of(Use.LEAD).timeout(Duration.ofSeconds(20));
    private static final LockUsage LEAD_SETTLED = LockUsage.of(Use.LEAD_SETTLED).timeout(Duration.ofSeconds(20));
    /** A wall clock that is behind and runs fast, and a monotonic clock as slow as NTP allows. */
    private static final ClockFault WRONG = new ClockFault(LEASES_3.negated(), 1.6, 0.9995);

    private static final int VICTIM = 1;
    private static final String CUT_OFF = "a leader is disconnected for 2.4 leases, and continues to work";
    private static final String FORCED =
            "an operator force-releases the role of a leader, which is disconnected before it notices";

    private LeaderScenarios() {}

    static Stream<Scenario> all() {
        return Stream.of(
                Scenarios.quiet("leader", "two candidates lead alternately", TWO)
                        .with(LEAD),
                struck("leader-crash", "a leader crashes", random -> OneShotFault.crash(random, FaultPoint.WORKING)),
                struck(
                        "leader-pause",
                        "a leader is paused for 1.5 to 3.5 leases",
                        random -> OneShotFault.pause(random, FaultPoint.WORKING)),
                struck("leader-cut-off", CUT_OFF, random -> new PartitionFault(VICTIM, LEASES_2_4)),
                struck(
                                "leader-wrong-clock",
                                CUT_OFF + "; its wall clock is 3 leases behind and fast, and its monotonic clock as"
                                        + " slow as NTP allows",
                                random -> new PartitionFault(VICTIM, LEASES_2_4))
                        .with(WRONG),
                struck(
                                "leader-failover",
                                "the primary fails while a candidate leads, and its last writes are lost",
                                LeaderScenarios::failOver)
                        .with(Environment.HEALTHY.replicationLag(Duration.ofMillis(20))),
                struck("leader-forced", FORCED + "; a new leader settles for a lease", LeaderScenarios::forced)
                        .with(LEAD_SETTLED),
                struck(
                        "leader-forced-control",
                        FORCED + "; a control: a new leader does not settle",
                        LeaderScenarios::forced));
    }

    private static Scenario struck(String name, String about, Function<RandomGenerator, Nemesis> nemesis) {
        return Scenarios.struck(name, about, nemesis).with(TWO).with(LEAD);
    }

    private static Nemesis failOver(RandomGenerator random) {
        return OneShotFault.anybody(random, FaultPoint.WORKING, (world, leader) -> {
            world.haltReplication();
            Duration silence = Duration.ofMillis(random.nextLong(50, 4_000));
            Duration election = Duration.ofMillis(random.nextLong(200, 4_000));
            world.later(silence, () -> world.failOver(election));
        });
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
}
