package org.mongolocks.benchmarks.jmh;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Percentiles;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.BenchmarkResult;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.Statistics;

/** A converter from JMH results to measurements. A repetition is a fork. */
final class JmhResultConverter {
    private static final Map<String, String> IDS = Map.of(
            "UncontendedBenchmark", "B1",
            "ContendedBenchmark", "B6");

    private JmhResultConverter() {}

    static List<Measurement> of(Collection<RunResult> runs) {
        return runs.stream().map(JmhResultConverter::of).toList();
    }

    private static Measurement of(RunResult run) {
        BenchmarkParams params = run.getParams();
        Statistics all = run.getPrimaryResult().getStatistics();
        double[] forks = run.getBenchmarkResults().stream()
                .map(BenchmarkResult::getPrimaryResult)
                .mapToDouble(fork -> nanos(params, fork.getStatistics(), 50))
                .toArray();
        return Measurement.of(subject(params), Metric.LATENCY, Estimate.median(forks), all.getN())
                .with(percentiles(params, all));
    }

    private static MeasurementKey subject(BenchmarkParams params) {
        String[] names = params.getBenchmark().split("\\.", -1);
        String id = IDS.getOrDefault(names[names.length - 2], names[names.length - 2]);
        Client client = Optional.ofNullable(params.getParam("client"))
                .map(Client::valueOf)
                .orElse(Client.SYNC);
        return MeasurementKey.of(id, contender(params), client)
                .with("operation", names[names.length - 1])
                .with("threads", params.getThreads());
    }

    private static String contender(BenchmarkParams params) {
        return Optional.ofNullable(params.getParam("strategy"))
                .or(() -> Optional.ofNullable(params.getParam("baseline")).map(JmhResultConverter::baseline))
                .orElse("floor-reentrant-lock");
    }

    private static String baseline(String name) {
        return Baseline.valueOf(name).contender().id();
    }

    private static Percentiles percentiles(BenchmarkParams params, Statistics all) {
        return new Percentiles(
                Math.round(nanos(params, all, 50)),
                Math.round(nanos(params, all, 90)),
                Math.round(nanos(params, all, 99)),
                Math.round(nanos(params, all, 99.9)),
                Math.round(nanos(params, all, 100)));
    }

    private static double nanos(BenchmarkParams params, Statistics statistics, double percentile) {
        TimeUnit unit = params.getTimeUnit();
        return statistics.getPercentile(percentile) * unit.toNanos(1);
    }
}
