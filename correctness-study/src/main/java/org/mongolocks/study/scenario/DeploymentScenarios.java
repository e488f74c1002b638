package org.mongolocks.study.scenario;

import java.time.Duration;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.mongolocks.study.check.Bounds;
import org.mongolocks.study.simulation.Administrator;
import org.mongolocks.study.simulation.Administrator.Part;
import org.mongolocks.study.simulation.Environment;
import org.mongolocks.study.simulation.Manner;
import org.mongolocks.study.simulation.Moment;
import org.mongolocks.study.simulation.Nemesis;
import org.mongolocks.study.simulation.Scenario;
import org.mongolocks.study.simulation.Span;
import org.mongolocks.study.simulation.Workload;
import org.mongolocks.study.simulation.World;

/** The scenarios of deployments and their operators: abandoned transactions, small pools, changed collections. */
final class DeploymentScenarios {
    /** The server aborts a transaction after a minute; a run lasts half as long again. */
    private static final Workload OVER_A_MINUTE =
            new Workload(4, 1, Span.millis(50, 1_000), Span.millis(200, 1_500), Duration.ofSeconds(95));

    /** The library's default. */
    private static final Duration USUAL_LIMIT = Duration.ofSeconds(5);

    private static final Workload AROUND_AN_OUTAGE =
            new Workload(4, 1, Span.millis(50, 500), Span.millis(200, 1_000), Duration.ofSeconds(45));

    private static final Workload RUSH =
            new Workload(4, 2, Span.millis(1, 50), Span.millis(5, 50), Duration.ofSeconds(6));

    /** As long as a message takes, so that the steps of two upserts overlap. */
    private static final Duration UPSERT_PAUSE = Duration.ofMillis(2);

    /** A few round trips. */
    private static final Duration NOTICE = Duration.ofMillis(100);

    private static final Duration PROMPT = Duration.ofSeconds(1);

    private DeploymentScenarios() {}

    static Stream<Scenario> all() {
        return Stream.of(
                orphanedTransaction(),
                poolOfOne(),
                restored("restored-backup", Part.LOCKS, World::raiseTokens),
                restored("restored-database", Part.DATABASE, World::raiseTokens),
                restored("restored-control", Part.DATABASE, world -> {}),
                discarded("dropped-collection", "dropped", Administrator::dropLocks),
                discarded("renamed-collection", "renamed", Administrator::renameLocks),
                spoilt(
                        "ttl-on-expiry",
                        "a TTL index on expiresAt deletes lock documents when the lease has ended",
                        Manner.Use.ALONE,
                        administrator -> administrator.expireLocksBy("expiresAt")),
                spoilt(
                        "unique-index",
                        "a unique index permits each owner in one lock document only",
                        Manner.Use.SEVERAL,
                        administrator -> administrator.uniqueLocksBy("owner")),
                spoilt(
                        "case-insensitive",
                        "the lock collection ignores case, and the names of the locks differ in nothing else",
                        Manner.Use.IN_PARTS,
                        Administrator::ignoreCaseOfLocks),
                Scenarios.in(
                        Environment.HEALTHY.upsertPause(UPSERT_PAUSE),
                        Scenarios.quiet(
                                "upsert-race",
                                "many clients acquire at once, and an upsert is two steps, between which others may"
                                        + " insert",
                                RUSH)));
    }

    private static Scenario restored(String name, Part part, Consumer<World> recipe) {
        String what = part == Part.LOCKS ? "the lock collection" : "the database";
        return Scenarios.used(
                Manner.of(Manner.Use.ALONE),
                Scenarios.doing(
                        AROUND_AN_OUTAGE,
                        Scenarios.struck(
                                name,
                                what + " is restored from an older backup, and the protected data is newer",
                                random -> new Restoring(random, part, recipe))));
    }

    private static Scenario discarded(String name, String how, Consumer<Administrator> act) {
        return Scenarios.bounded(
                Bounds.NONE.lossNotice(NOTICE),
                Scenarios.used(
                        Manner.of(Manner.Use.ALONE),
                        Scenarios.struck(
                                name,
                                "the lock collection is " + how + " while the lock is held",
                                random -> Strike.anybody(
                                        random,
                                        Moment.WORKING,
                                        (world, holder) -> act.accept(world.administrator())))));
    }

    /** A scenario with a collection on which building a client must fail. */
    private static Scenario spoilt(String name, String about, Manner.Use use, Consumer<Administrator> how) {
        return Scenarios.bounded(
                Bounds.NONE.refusal(),
                Scenarios.used(
                        Manner.of(use).checked(),
                        Scenarios.in(
                                Environment.HEALTHY.ttlMonitorSeconds(1),
                                Scenarios.struck(name, about, random -> new Nemesis() {
                                    @Override
                                    public void begin(World world) {
                                        how.accept(world.administrator());
                                    }
                                }))));
    }

    private static Scenario poolOfOne() {
        return Scenarios.bounded(
                Bounds.NONE.handOver(PROMPT).withoutFailures(),
                Scenarios.used(
                        Manner.of(Manner.Use.ALONE).commandTimeout(USUAL_LIMIT),
                        Scenarios.in(
                                Environment.HEALTHY.connections(1),
                                Scenarios.quiet(
                                        "pool-of-one",
                                        "each client has one connection, for its commands and its change stream",
                                        Scenarios.SHORT_WORK))));
    }

    /** The command timeout is the library's default, so that several fit into the life of the transaction. */
    private static Scenario orphanedTransaction() {
        return Scenarios.bounded(
                Bounds.NONE.withoutFailures(),
                Scenarios.used(
                        Manner.of(Manner.Use.ALONE)
                                .patience(Duration.ofSeconds(100))
                                .commandTimeout(USUAL_LIMIT),
                        Scenarios.doing(
                                OVER_A_MINUTE,
                                Scenarios.struck(
                                        "orphaned-transaction",
                                        "a client crashes in a guarded transaction, which the server keeps for a"
                                                + " minute; the other clients wait for up to 100 seconds",
                                        random -> Strike.anybody(
                                                random, Moment.GUARDED, (world, victim) -> world.crash(victim))))));
    }
}
