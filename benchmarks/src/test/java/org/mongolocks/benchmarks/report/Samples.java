package org.mongolocks.benchmarks.report;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.StubStrategy;
import org.mongolocks.benchmarks.measure.BaselineRatio;
import org.mongolocks.benchmarks.measure.BaselineResult;
import org.mongolocks.benchmarks.measure.CommandCosts;
import org.mongolocks.benchmarks.measure.ContentionResult;
import org.mongolocks.benchmarks.measure.Latency;
import org.mongolocks.benchmarks.measure.Measurements;
import org.mongolocks.benchmarks.measure.StrategyResult;
import org.mongolocks.benchmarks.measure.StrategyResult.Measured;
import org.mongolocks.benchmarks.measure.StrategyResult.Unmeasured;
import org.mongolocks.benchmarks.measure.StrategyResult.Why;
import org.mongolocks.benchmarks.measure.Violations;
import org.mongolocks.benchmarks.result.BaselineDrift;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Failure;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.Percentiles;
import org.mongolocks.benchmarks.result.Ratio;
import org.mongolocks.benchmarks.result.RunLength;
import org.mongolocks.benchmarks.result.RunResults;
import org.mongolocks.benchmarks.server.ServerDescription;
import org.mongolocks.benchmarks.server.Topology;
import org.mongolocks.spi.Trait;

/** Sample reports with invented figures. */
final class Samples {
    static final ServerDescription REAL = new ServerDescription(
            ServerDescription.Kind.URI, "7.0.2", Topology.REPLICA_SET, List.of("a:1", "b:2", "c:3"), Duration.ZERO);
    static final ServerDescription EMBEDDED = new ServerDescription(
            ServerDescription.Kind.EMBEDDED, "4.4.0", Topology.REPLICA_SET, List.of("localhost:1234"), Duration.ZERO);

    private static final Violations NONE = new Violations(0, 0, 0);
    private static final BaselineResult CALM = new BaselineResult(new Latency(400_000, 900_000, 1_000), 0.05);

    private static final Measurement LATENCY = Measurement.of(
                    MeasurementKey.of("B1", "alpha", Client.SYNC),
                    Metric.LATENCY,
                    Estimate.median(440_000, 430_000, 450_000),
                    1_000)
            .with(new Percentiles(440_000, 500_000, 900_000, 1_900_000, 9_900_000))
            .with(new Ratio("floor-two-find-and-modify", Estimate.median(1.1, 1.0, 1.2)));
    private static final Measurement COMMANDS = Measurement.of(
            MeasurementKey.of("B6", "alpha", Client.REACTIVE).with("waiters", 64),
            Metric.COMMANDS_PER_GRANT,
            Estimate.once(2.5),
            77);

    private static final String FAILING = "shaky";

    private Samples() {}

    static Report report(ServerDescription server, StrategyResult... strategies) {
        return report(server, CALM, strategies);
    }

    static Report report(ServerDescription server, BaselineResult floor, StrategyResult... strategies) {
        return report(server, floor, List.of("B1", "B6"), strategies);
    }

    /** Returns a report of a run of B1 alone. */
    static Report reportOfB1(StrategyResult... strategies) {
        return report(REAL, CALM, List.of("B1"), strategies);
    }

    private static Report report(
            ServerDescription server, BaselineResult floor, List<String> only, StrategyResult... strategies) {
        return new Report(
                Instant.parse("2026-11-20T10:15:30Z"),
                Duration.ofMillis(31_400),
                new RunParameters(RunLength.QUICK, only, "./compare --quick"),
                server,
                new Machine(2, "Linux 6.1 amd64", "OpenJDK 17", 0.25, 4_000_000_000L),
                new Measurements(floor, List.of(strategies)),
                findings(strategies));
    }

    private static RunResults findings(StrategyResult... strategies) {
        return new RunResults(
                List.of(LATENCY, COMMANDS),
                Stream.of(strategies).map(Samples::contender).toList(),
                List.of(new BaselineDrift("B1", "floor-two-find-and-modify", Client.SYNC, 0.75)),
                List.of("A remark"));
    }

    private static LockUnderTest contender(StrategyResult strategy) {
        LockUnderTest contender = LockUnderTest.of(
                        strategy.name(),
                        Kind.STRATEGY,
                        strategy.name(),
                        new Properties("majority", "strict", "owner", "server's", "in line", "yes"))
                .with(strategy.traits().stream().map(Trait::name).toList());
        return contender.with(verdict(contender, strategy));
    }

    /** Returns a strategy without contention results. */
    static Measured uncontended(String name, double ratio, Trait... traits) {
        return measured(name, ratio, new TreeMap<>(), traits);
    }

    private static MeasurementStatus verdict(LockUnderTest contender, StrategyResult strategy) {
        if (strategy instanceof Unmeasured unmeasured) {
            MeasurementStatus skipped = MeasurementStatus.skipped(unmeasured.reason());
            return unmeasured.why() == Why.FAILED ? failed("B1", skipped) : skipped;
        }
        Measured measured = (Measured) strategy;
        if (measured.name().equals(FAILING)) {
            return failed("B6", contender.verdict());
        }
        return measured.violations() > 0 ? MeasurementStatus.voided("Two were in") : contender.verdict();
    }

    private static MeasurementStatus failed(String benchmark, MeasurementStatus verdict) {
        return verdict.with(List.of(new Failure(benchmark, "A lock was lost")));
    }

    static Measured measured(String name, double ratio, long grants, Trait... traits) {
        return measured(name, ratio, crowds(grants, NONE), traits);
    }

    static Measured violating(String name) {
        return measured(name, 0.5, crowds(9_000, new Violations(3, 2, 1)), Trait.STRICT_FENCING);
    }

    /** Returns a strategy that failed under contention. */
    static Measured failing() {
        return measured(FAILING, 0.5, new TreeMap<>(), Trait.STRICT_FENCING);
    }

    static Unmeasured unmeasured(String name, Why why, String reason) {
        return new Unmeasured(new StubStrategy(name, Set.of()), why, reason);
    }

    private static SortedMap<Integer, ContentionResult> crowds(long grants, Violations violations) {
        return new TreeMap<>(
                Map.of(1, contended(2, 500, NONE), 8, contended(9, grants, violations), 64, contended(65, 500, NONE)));
    }

    private static ContentionResult contended(int threads, long grants, Violations violations) {
        return new ContentionResult(threads, 2.0, grants, 0.9876, 215_000_000, grants * 13 / 4, violations);
    }

    private static Measured measured(
            String name, double ratio, SortedMap<Integer, ContentionResult> crowds, Trait... traits) {
        return new Measured(
                new StubStrategy(name, Set.of(traits)),
                new Latency(Math.round(ratio * 400_000), 2_000_000, 500),
                new BaselineRatio(ratio, ratio - 0.05, ratio + 0.05, 0.04),
                new CommandCosts(1, 2, 2, 1, 1.5),
                0,
                crowds);
    }
}
