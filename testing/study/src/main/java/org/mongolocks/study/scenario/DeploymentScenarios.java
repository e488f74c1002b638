package org.mongolocks.study.scenario;

import static org.mongolocks.study.technique.Techniques.TTL;

import java.time.Duration;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.mongolocks.study.check.Promptness.HandoverLimits;
import org.mongolocks.study.scenario.NetworkScenarios.LateMessages;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.SimulationRun;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.FaultPoint;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.config.Workload.LockUsage;
import org.mongolocks.study.sim.net.Network.Message;
import org.mongolocks.study.sim.net.Network.MessageFate;
import org.mongolocks.study.sim.net.Network.Purpose;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** The scenarios of deployments and their operators: abandoned transactions, small pools, changed collections. */
final class DeploymentScenarios {
    /** The server aborts a transaction after a minute; a run lasts half as long again. */
    private static final Workload OVER_A_MINUTE = new Workload(
            4, 1, DurationRange.millis(50, 1_000), DurationRange.millis(200, 1_500), Duration.ofSeconds(95));

    /** The library's default. */
    private static final Duration USUAL_LIMIT = Duration.ofSeconds(5);

    private static final Workload AROUND_AN_OUTAGE =
            new Workload(4, 1, DurationRange.millis(50, 500), DurationRange.millis(200, 1_000), Duration.ofSeconds(45));

    /** Between two uses the lock is often idle for longer than two leases. */
    private static final Workload SELDOM = new Workload(
            3, 1, DurationRange.millis(100, 90_000), DurationRange.millis(200, 1_500), Duration.ofMinutes(5));

    private static final double LATE_SHARE = 0.05;

    private static final Workload RUSH =
            new Workload(4, 2, DurationRange.millis(1, 50), DurationRange.millis(5, 50), Duration.ofSeconds(6));

    /** As long as a message takes, so that the steps of two upserts overlap. */
    private static final Duration UPSERT_PAUSE = Duration.ofMillis(2);

    /** A few round trips. */
    private static final Duration NOTICE = Duration.ofMillis(100);

    /** The longest wait of a stream for events, which keeps the only connection, and a few round trips. */
    private static final Duration PROMPT = Duration.ofMillis(1_100);

    private DeploymentScenarios() {}

    static Stream<Scenario> all() {
        return Stream.of(
                orphanedTransaction(),
                poolOfOne(),
                cleanedUp(),
                restored(),
                dropped(),
                Scenarios.quiet(
                                "upsert-race",
                                "many clients acquire at once, and an upsert is two steps, between which others may"
                                        + " insert",
                                RUSH)
                        .with(Environment.HEALTHY.upsertPause(UPSERT_PAUSE))
                        .with(HandoverLimits.NONE.withoutFailures()));
    }

    /** The index keeps documents for twice the longest lease, as in a deployment. */
    private static Scenario cleanedUp() {
        return Scenarios.struck(
                        "clean-up",
                        "lock documents that were not used for two leases are deleted, requests arrive up to three"
                                + " leases late, and a holder is paused for 1.5 to 3.5 leases",
                        CleanUp::new)
                .with(SELDOM)
                .with(Environment.HEALTHY.ttlMonitorSeconds(1))
                .with(LockUsage.of(LockUsage.Use.ALONE));
    }

    private record CleanUp(LateMessages late, OneShotFault pause) implements Nemesis {
        CleanUp(RandomGenerator random) {
            this(
                    new LateMessages(
                            random,
                            message -> message.purpose() != Purpose.WATCH && message.purpose() != Purpose.GUARD,
                            LATE_SHARE,
                            Duration.ofMillis(5),
                            TTL.multipliedBy(3)),
                    OneShotFault.pause(random, FaultPoint.WORKING));
        }

        @Override
        public void begin(SimulationRun world) {
            world.administrator().cleanUpAfter(TTL.multipliedBy(2));
        }

        @Override
        public MessageFate fate(Message message) {
            return late.fate(message);
        }

        @Override
        public void at(FaultPoint moment, SimulationRun world, int client) {
            pause.at(moment, world, client);
        }
    }

    private static Scenario restored() {
        return Scenarios.struck(
                        "restored-backup",
                        "the lock collection is restored from an older backup, and the protected data is newer",
                        Restoring::new)
                .with(AROUND_AN_OUTAGE)
                .with(LockUsage.of(LockUsage.Use.ALONE));
    }

    private static Scenario dropped() {
        return Scenarios.struck(
                        "dropped-collection",
                        "the lock collection is dropped while the lock is held",
                        random -> OneShotFault.anybody(
                                random,
                                FaultPoint.WORKING,
                                (world, holder) -> world.administrator().dropLocks()))
                .with(LockUsage.of(LockUsage.Use.ALONE))
                .with(HandoverLimits.NONE.lossNotice(NOTICE));
    }

    private static Scenario poolOfOne() {
        return Scenarios.quiet(
                        "pool-of-one",
                        "each client has one connection, for its commands and its change stream",
                        Scenarios.SHORT_WORK)
                .with(Environment.HEALTHY.connections(1))
                .with(LockUsage.of(LockUsage.Use.ALONE).commandTimeout(USUAL_LIMIT))
                .with(HandoverLimits.NONE.handOver(PROMPT).withoutFailures());
    }

    /** The command timeout is the library's default, so that several fit into the life of the transaction. */
    private static Scenario orphanedTransaction() {
        return Scenarios.struck(
                        "orphaned-transaction",
                        "a client crashes in a guarded transaction, which the server keeps for a minute; the other"
                                + " clients wait for up to 100 seconds",
                        random -> OneShotFault.crash(random, FaultPoint.GUARDED))
                .with(OVER_A_MINUTE)
                .with(LockUsage.of(LockUsage.Use.ALONE)
                        .timeout(Duration.ofSeconds(100))
                        .commandTimeout(USUAL_LIMIT))
                .with(HandoverLimits.NONE.withoutFailures());
    }
}
