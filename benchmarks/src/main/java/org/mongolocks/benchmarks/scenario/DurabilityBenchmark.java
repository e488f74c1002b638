package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.run.Benchmark.Scenario;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.sampling.BenchmarkFixture;
import org.mongolocks.benchmarks.sampling.InterleavedRunner;
import org.mongolocks.benchmarks.sampling.MeasuredOperation;
import org.mongolocks.benchmarks.sampling.MeasuredOperations;
import org.mongolocks.benchmarks.sampling.MeasurementRecorder;

/**
 * The benchmark of durability: the raw commands of all baselines, with the durability of a lock and with w:1. Their
 * ratio is the cost of durability.
 */
final class DurabilityBenchmark implements Scenario {
    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        try (MeasuredOperations contenders = new MeasuredOperations(context);
                InterleavedRunner runner = new InterleavedRunner(
                        context,
                        contenders.fixtures().stream()
                                .flatMap(DurabilityBenchmark::operations)
                                .toList())) {
            MeasurementRecorder recorder = new MeasurementRecorder(context, runner.run(time));
            runner.operations().forEach(recorder::latency);
        }
    }

    private static Stream<MeasuredOperation> operations(BenchmarkFixture fixture) {
        return Stream.of(Baseline.values())
                .map(baseline ->
                        fixture.baseline(baseline, Baseline.DURABLE).over(fixture.baseline(baseline, Baseline.FAST)));
    }
}
