package org.mongolocks.study.scenario;

import static org.mongolocks.study.technique.Techniques.TTL;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.mongolocks.study.sim.Scenario;
import org.mongolocks.study.sim.Scenario.Nemesis;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.config.Workload;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.SeededRandom.DurationRange;

/** All scenarios of the study. */
public final class Scenarios {
    static final Duration LEASES_2_4 = TTL.multipliedBy(24).dividedBy(10);
    static final Duration LEASES_3 = TTL.multipliedBy(3);
    static final Duration LEASES_5 = TTL.multipliedBy(5);
    /** A few contenders, critical sections much shorter than the lease. */
    static final Workload SHORT_WORK =
            new Workload(4, 1, DurationRange.millis(50, 1000), DurationRange.millis(200, 1500), Duration.ofSeconds(30));
    /** Critical sections that take longer than a lease. */
    static final Workload LONG_WORK = new Workload(
            3, 1, DurationRange.millis(50, 1000), DurationRange.millis(12_000, 25_000), Duration.ofSeconds(80));

    /** The rows of a quick run: well-known faults, and faults under which some techniques fail and others do not. */
    private static final Set<String> TELLING = Set.of(
            "healthy",
            "holder-crash",
            "holder-pause",
            "late-write",
            "long-work",
            "client-ahead",
            "client-behind",
            "server-ahead",
            "acquire-lost",
            "failover",
            "ttl-late",
            "several-crash",
            "pool-of-one",
            "dropped-collection",
            "upsert-race");

    private Scenarios() {}

    /**
     * Returns all scenarios.
     *
     * @return the scenarios, in the order of the matrix
     */
    public static List<Scenario> all() {
        return Stream.of(
                        Stream.of(quiet("healthy", "no fault", SHORT_WORK)),
                        HolderScenarios.holders(),
                        HolderScenarios.clocks(),
                        NetworkScenarios.all(),
                        ServerScenarios.servers(),
                        ElectionScenarios.all(),
                        ServerScenarios.routers(),
                        ContentionScenarios.contention(),
                        FeatureScenarios.features(),
                        FeatureScenarios.leaders(),
                        DeploymentScenarios.all(),
                        ContentionScenarios.load())
                .flatMap(Function.identity())
                .toList();
    }

    /** Returns whether a quick run has a row. */
    public static boolean isTelling(Scenario scenario) {
        return TELLING.contains(scenario.name());
    }

    static Scenario quiet(String name, String about, Workload workload) {
        return new Scenario(name, about, workload, Environment.HEALTHY, Scenarios::right, random -> new Nemesis() {});
    }

    static Scenario struck(String name, String about, Function<RandomGenerator, Nemesis> nemesis) {
        return new Scenario(name, about, SHORT_WORK, Environment.HEALTHY, Scenarios::right, nemesis);
    }

    private static ClockFault right(int client) {
        return ClockFault.NONE;
    }
}
