package org.mongolocks.benchmarks.report;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.mongolocks.benchmarks.report.Report.Machine;
import org.mongolocks.benchmarks.report.Report.RunParameters;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Estimate.Interval;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Percentiles;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.result.MeasurementStatus.Failure;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.PairedDifference;
import org.mongolocks.benchmarks.result.RunResults;
import org.mongolocks.benchmarks.result.RunResults.BaselineDrift;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.reporting.server.ServerDescription;
import org.mongolocks.reporting.server.ServerDescription.Topology;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy.Trait;

/** A report with invented figures. */
final class SampleReport {
    static final String COUNTER = "findandmodify-counter";
    static final String INSERT = "insert-unique";
    static final String TRANSACTIONAL = "transactional";
    static final ServerDescription REAL = new ServerDescription(
            ServerDescription.Kind.URI, "7.0.2", Topology.REPLICA_SET, List.of("a:1", "b:2", "c:3"), Duration.ZERO);
    static final ServerDescription EMBEDDED = new ServerDescription(
            ServerDescription.Kind.EMBEDDED, "4.4.0", Topology.REPLICA_SET, List.of("localhost:1234"), Duration.ZERO);
    static final ServerDescription STANDALONE = new ServerDescription(
            ServerDescription.Kind.URI, "7.0.2", Topology.STANDALONE, List.of("a:1"), Duration.ZERO);

    private static final String BASELINE = "floor-two-find-and-modify";

    final List<LockUnderTest> contenders = new ArrayList<>();
    final List<String> missing = new ArrayList<>();
    ServerDescription server = REAL;
    Machine machine = new Machine(2, "Linux 6.1 amd64", "OpenJDK 17", 0.25, 4_000_000_000L);
    double minutes = 6;
    private final List<Measurement> measurements = new ArrayList<>();
    private final List<PairedDifference> differences = new ArrayList<>();
    private final List<BaselineDrift> noise = new ArrayList<>();

    /** Returns a report of the strategies of this library, without figures. */
    static SampleReport shipped() {
        SampleReport sample = new SampleReport();
        for (String name : List.of(INSERT, COUNTER, "flag-update", "optimistic-version", TRANSACTIONAL)) {
            sample.strategy(name, LockStrategies.named(name).traits().toArray(Trait[]::new));
        }
        return sample;
    }

    /** Returns a report with everything that a report can have. */
    static SampleReport full() {
        SampleReport sample = shipped().alone(COUNTER, INSERT, 0.8, 0.01).alone(TRANSACTIONAL, COUNTER, 2.4, 0.1);
        sample.contended(INSERT, COUNTER, 8, 2.5, 0.1).contended(INSERT, COUNTER, 64, 0.5, 0.02);
        sample.strategy("shaky")
                .change(
                        "shaky",
                        failing -> failing.with(failing.verdict().with(List.of(new Failure("B6", "A lock was lost")))));
        sample.strategy("loose").change("loose", one -> one.with(MeasurementStatus.voided("Two were in")));
        sample.change("flag-update", one -> one.with(MeasurementStatus.skipped("needs a <replica> set")));
        sample.contenders.add(
                LockUnderTest.of(BASELINE, Kind.BASELINE, "two findAndModify", Properties.ofBaseline("majority")));
        sample.contenders.add(LockUnderTest.of(
                "shedlock", Kind.PEER, "ShedLock", new Properties("majority", "none", "none", "own", "none", "no")));
        sample.latency("B1", BASELINE, 400_000).latency("B1", "shaky", 500_000).latency("B1", "loose", 100_000);
        sample.latency("B1", "shedlock", 390_000);
        sample.differences.add(
                difference(MeasurementKey.of("B1", "shedlock", Client.SYNC), COUNTER, "latency", 0.4, 0.01));
        sample.figure("B10", Metric.BYTES, COUNTER, 1000).figure("B10", Metric.BYTES, INSERT, 1500);
        sample.noise("B1", 0.756);
        sample.missing.add("B9");
        return sample;
    }

    SampleReport strategy(String name, Trait... traits) {
        contenders.add(LockUnderTest.of(
                        name,
                        Kind.STRATEGY,
                        name,
                        new Properties("majority", "strict", "owner", "server's", "in line", "yes"))
                .with(Arrays.stream(traits).sorted().map(Trait::name).toList()));
        return this;
    }

    SampleReport change(String id, UnaryOperator<LockUnderTest> change) {
        contenders.replaceAll(one -> one.id().equals(id) ? change.apply(one) : one);
        return this;
    }

    /** Adds a strategy that takes 30 % less time alone with both clients. */
    SampleReport superior(String name, String other) {
        strategy(name, Trait.SERVER_CLOCK, Trait.STRICT_FENCING);
        for (Client client : Client.values()) {
            for (String one : List.of(name, other)) {
                measurements.add(measurement(MeasurementKey.of("B1", one, client), Metric.LATENCY, 1e6));
                measurements.add(
                        measurement(MeasurementKey.of("B6", one, client).with("waiters", 64), Metric.THROUGHPUT, 100));
            }
            differences.add(difference(MeasurementKey.of("B1", name, client), other, "latency", 0.7, 0.02));
        }
        return this;
    }

    /** Adds times without contention of a strategy and of another, and their difference. */
    SampleReport alone(String first, String second, double ratio, double reach) {
        latency("B1", first, ratio * 1e6).latency("B1", second, 1e6);
        differences.add(difference(MeasurementKey.of("B1", first, Client.SYNC), second, "latency", ratio, reach));
        return this;
    }

    /** Adds grants per second of two strategies, and their difference. */
    SampleReport contended(String first, String second, int waiters, double ratio, double reach) {
        MeasurementKey key = MeasurementKey.of("B6", first, Client.SYNC).with("waiters", waiters);
        measurements.add(measurement(key, Metric.THROUGHPUT, 1000 * ratio));
        measurements.add(measurement(
                MeasurementKey.of("B6", second, Client.SYNC).with("waiters", waiters), Metric.THROUGHPUT, 1000));
        differences.add(difference(key, second, "throughput", ratio, reach));
        return this;
    }

    SampleReport figure(String benchmark, Metric metric, String contender, double value) {
        measurements.add(measurement(MeasurementKey.of(benchmark, contender, Client.SYNC), metric, value));
        return this;
    }

    /** Adds the time until the next grant after the end of a holder. */
    SampleReport recovery(String contender, String end, double nanos) {
        measurements.add(
                measurement(MeasurementKey.of("B9", contender, Client.SYNC).with("end", end), Metric.RECOVERY, nanos));
        return this;
    }

    private SampleReport latency(String benchmark, String contender, double nanos) {
        long p50 = Math.round(nanos);
        measurements.add(Measurement.of(
                        MeasurementKey.of(benchmark, contender, Client.SYNC),
                        Metric.LATENCY,
                        Estimate.median(nanos - 10_000, nanos, nanos + 10_000),
                        500)
                .with(new Percentiles(p50, p50 + 1_000, 2 * p50, 3 * p50, 9_900_000))
                .with(Optional.of(
                                new Ratio(BASELINE, Estimate.median(nanos / 410_000, nanos / 400_000, nanos / 390_000)))
                        .filter(ratio -> !contender.equals(BASELINE))));
        return this;
    }

    SampleReport noise(String benchmark, double drift) {
        noise.add(new BaselineDrift(benchmark, BASELINE, Client.SYNC, drift));
        return this;
    }

    Report report() {
        return new Report(
                Instant.parse("2026-11-20T10:15:30Z"),
                Duration.ofMillis(31_400),
                new RunParameters(
                        RunLength.QUICK,
                        List.of("B1", "B6"),
                        Duration.ofMillis(Math.round(minutes * 60_000)),
                        "./compare --quick"),
                server,
                machine,
                new RunResults(measurements, differences, contenders, noise, List.of("A remark")),
                missing);
    }

    Choice choice() {
        return report().choice();
    }

    /** Returns the locks in a need with the synchronous client, with their ranks, in order. */
    List<String> order(String need) {
        return choice().needs().stream()
                .filter(one -> one.client() == Client.SYNC && one.need().equals(need))
                .flatMap(one -> one.order().stream())
                .map(place -> place.rank().map(rank -> rank + " ").orElse("") + place.contender())
                .toList();
    }

    private static Measurement measurement(MeasurementKey key, Metric metric, double value) {
        return Measurement.of(key, metric, Estimate.once(value), 10);
    }

    private static PairedDifference difference(
            MeasurementKey first, String second, String metric, double ratio, double reach) {
        Interval interval = new Interval(ratio - reach, ratio + reach);
        return new PairedDifference(first, second, metric, new Estimate(ratio, Optional.of(interval), 12));
    }
}
