package org.mongolocks.benchmarks.report;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.report.Report.Machine;
import org.mongolocks.benchmarks.report.Report.RunParameters;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Estimate.Interval;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Percentiles;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.result.MeasurementStatus.Failure;
import org.mongolocks.benchmarks.result.MeasurementStatus.Why;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.PairedDifference;
import org.mongolocks.benchmarks.result.RunResults;
import org.mongolocks.benchmarks.result.RunResults.BaselineDrift;
import org.mongolocks.benchmarks.result.RunSummary;
import org.mongolocks.benchmarks.result.StrategySummary;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;
import org.mongolocks.benchmarks.server.ServerDescription;
import org.mongolocks.benchmarks.server.ServerDescription.Topology;
import org.mongolocks.benchmarks.workload.ContentionResult;
import org.mongolocks.spi.LockStrategy.Trait;

/** StrategySample reports with invented figures. */
final class Samples {
    static final ServerDescription REAL = new ServerDescription(
            ServerDescription.Kind.URI, "7.0.2", Topology.REPLICA_SET, List.of("a:1", "b:2", "c:3"), Duration.ZERO);
    static final ServerDescription EMBEDDED = new ServerDescription(
            ServerDescription.Kind.EMBEDDED, "4.4.0", Topology.REPLICA_SET, List.of("localhost:1234"), Duration.ZERO);

    private static final Violations NONE = new Violations(0, 0, 0);
    private static final double CALM = 0.05;

    private static final Measurement COMMANDS = Measurement.of(
            MeasurementKey.of("B6", "alpha", Client.REACTIVE).with("waiters", 64),
            Metric.COMMANDS_PER_GRANT,
            Estimate.once(2.5),
            77);

    private static final String FAILING = "shaky";

    /** A strategy with its measurements. */
    record StrategySample(LockUnderTest contender, List<Measurement> measurements, List<Measurement> summary) {}

    private Samples() {}

    static Report report(ServerDescription server, StrategySample... strategies) {
        return report(server, CALM, List.of("B1", "B6"), strategies);
    }

    /** Returns a report of a run that was stopped. */
    static Report stopped(StrategySample... strategies) {
        Report whole = report(REAL, strategies);
        return new Report(
                whole.startedAt(),
                whole.elapsed(),
                whole.inquiry(),
                whole.server(),
                whole.machine(),
                whole.findings(),
                List.of("B6"));
    }

    private static Report report(
            ServerDescription server, double drift, List<String> only, StrategySample... strategies) {
        return new Report(
                Instant.parse("2026-11-20T10:15:30Z"),
                Duration.ofMillis(31_400),
                new RunParameters(RunLength.QUICK, only, Duration.ofSeconds(50), "./compare --quick"),
                server,
                new Machine(2, "Linux 6.1 amd64", "OpenJDK 17", 0.25, 4_000_000_000L),
                results(drift, strategies),
                List.of());
    }

    /** Returns the difference of two strategies without contention. */
    private static PairedDifference difference(String first, String second, double ratio, double reach) {
        return new PairedDifference(
                MeasurementKey.of("B1", first, Client.SYNC),
                second,
                Metric.LATENCY.name(),
                new Estimate(ratio, Optional.of(new Interval(ratio - reach, ratio + reach)), 12));
    }

    private static RunResults results(double drift, StrategySample... strategies) {
        Measurement baseline = latency(RunSummary.BASELINE, 400_000, 900_000, 1_000);
        Stream<Measurement> measurements = Stream.of(strategies).flatMap(strategy -> strategy.measurements().stream());
        Stream<Measurement> summary = Stream.concat(
                figures(RunSummary.BASELINE, Map.of(RunSummary.BASELINE_DRIFT, drift)),
                Stream.of(strategies).flatMap(strategy -> strategy.summary().stream()));
        return new RunResults(
                Stream.concat(measurements, Stream.of(COMMANDS, baseline)).toList(),
                summary.toList(),
                List.of(difference("alpha", "beta", 2.2, 0.1)),
                Stream.of(strategies).map(StrategySample::contender).toList(),
                List.of(new BaselineDrift("B1", RunSummary.BASELINE, Client.SYNC, 0.75)),
                List.of("A remark"));
    }

    static StrategySample measured(String name, double ratio, long grants, Trait... traits) {
        return measured(contender(name, traits), ratio, scenarios(name, grants, NONE));
    }

    /** Returns a strategy without contention results. */
    static StrategySample uncontended(String name, double ratio, Trait... traits) {
        return measured(contender(name, traits), ratio, List.of());
    }

    static StrategySample violating(String name) {
        LockUnderTest contender = contender(name, Trait.STRICT_FENCING);
        return measured(
                contender.with(MeasurementStatus.voided("Two were in")),
                0.5,
                scenarios(name, 9_000, new Violations(3, 2, 1)));
    }

    /** Returns a strategy that failed under contention. */
    static StrategySample failing() {
        LockUnderTest contender = contender(FAILING, Trait.STRICT_FENCING);
        List<Failure> failures = List.of(new Failure("B6", "A lock was lost"));
        return measured(contender.with(contender.verdict().with(failures)), 0.5, List.of());
    }

    static StrategySample unmeasured(String name, Why why, String reason) {
        MeasurementStatus status = why == Why.FAILED
                ? MeasurementStatus.skipped("failed: " + reason).with(List.of(new Failure("B1", reason)))
                : MeasurementStatus.unsupported(why, reason);
        return new StrategySample(contender(name).with(status), List.of(), List.of());
    }

    private static LockUnderTest contender(String name, Trait... traits) {
        return LockUnderTest.of(
                        name,
                        LockUnderTest.Kind.STRATEGY,
                        name,
                        new Properties("majority", "strict", "owner", "server's", "in line", "yes"))
                .with(Stream.of(traits).map(Trait::name).toList());
    }

    private static StrategySample measured(LockUnderTest contender, double ratio, List<Measurement> scenarios) {
        Measurement latency = latency(contender.id(), Math.round(ratio * 400_000), 2_000_000, 500)
                .with(Optional.of(new Ratio(RunSummary.BASELINE, Estimate.median(ratio - 0.1, ratio, ratio + 0.1))));
        Map<Metric, Double> figures = new LinkedHashMap<>();
        figures.put(StrategySummary.RATIO, ratio);
        figures.put(StrategySummary.RATIO_LOWER, ratio - 0.05);
        figures.put(StrategySummary.RATIO_UPPER, ratio + 0.05);
        figures.put(StrategySummary.DRIFT, 0.04);
        figures.put(StrategySummary.ACQUIRE_FREE, 1.0);
        figures.put(StrategySummary.ACQUIRE_RELEASED, 2.0);
        figures.put(StrategySummary.ACQUIRE_HELD, 2.0);
        figures.put(StrategySummary.RENEW, 1.0);
        figures.put(StrategySummary.RELEASE, 1.5);
        for (Metric commands : StrategySummary.COMMANDS) {
            figures.put(StrategySummary.PLANNED.apply(commands), 1.0);
            figures.put(StrategySummary.EVALUATED.apply(commands), 2.0);
        }
        figures.put(StrategySummary.GRANTS_WHILE_HELD, 0.0);
        return new StrategySample(
                contender,
                Stream.concat(Stream.of(latency), scenarios.stream().flatMap(Samples::throughput))
                        .toList(),
                Stream.concat(figures(contender.id(), figures), scenarios.stream())
                        .toList());
    }

    private static Measurement latency(String contender, long p50, long p99, long samples) {
        return Measurement.of(
                        MeasurementKey.of("B1", contender, Client.SYNC),
                        Metric.LATENCY,
                        Estimate.median((double) p50, p50 - 10_000.0, p50 + 10_000.0),
                        samples)
                .with(new Percentiles(p50, p50 + 1_000, p99, p99 + 1_000_000, 9_900_000));
    }

    private static Stream<Measurement> figures(String contender, Map<Metric, Double> values) {
        MeasurementKey key = MeasurementKey.of("B1", contender, Client.SYNC);
        return values.entrySet().stream()
                .map(figure -> Measurement.of(key, figure.getKey(), Estimate.once(figure.getValue()), 1));
    }

    /** Returns the grants per second with the most waiters of a summary. */
    private static Stream<Measurement> throughput(Measurement figure) {
        double value = figure.value().value();
        return figure.metric().equals(StrategySummary.GRANTS_PER_SECOND)
                        && Objects.equals(figure.subject().parameters().get("waiters"), StrategySummary.CONTENDED)
                ? Stream.of(Measurement.of(
                        figure.subject(), Metric.THROUGHPUT, Estimate.mean(0.9 * value, value, 1.1 * value), 900))
                : Stream.of();
    }

    private static List<Measurement> scenarios(String name, long grants, Violations violations) {
        return Stream.of(
                        contended(name, 1, 500, NONE),
                        contended(name, 8, grants, violations),
                        contended(name, 64, 500, NONE))
                .flatMap(figures -> figures)
                .toList();
    }

    private static Stream<Measurement> contended(String name, int waiters, long grants, Violations violations) {
        MeasurementKey key = MeasurementKey.of("B6", name, Client.SYNC).with("waiters", waiters);
        return new ContentionResult(waiters + 1, 2.0, grants, 0.9876, 215_000_000, grants * 13 / 4, violations)
                .summary().entrySet().stream()
                        .map(figure -> Measurement.of(key, figure.getKey(), Estimate.once(figure.getValue()), grants));
    }
}
