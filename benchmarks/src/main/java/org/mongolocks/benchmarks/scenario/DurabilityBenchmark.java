package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.run.Benchmark;
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
public final class DurabilityBenchmark implements Benchmark {
    private static final String ID = "B13";
    private static final int WEIGHT = 8;

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "the price of durability";
    }

    @Override
    public int weight() {
        return WEIGHT;
    }

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        try (MeasuredOperations contenders = new MeasuredOperations(context, ID);
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
