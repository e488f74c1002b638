package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.Benchmark.Scenario;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.sampling.BenchmarkFixture;
import org.mongolocks.benchmarks.sampling.InterleavedRunner;
import org.mongolocks.benchmarks.sampling.MeasuredOperation;
import org.mongolocks.benchmarks.sampling.MeasuredOperations;
import org.mongolocks.benchmarks.sampling.MeasurementRecorder;
import org.mongolocks.spi.LockStrategy;

/** A benchmark of one operation of each strategy, with each client, in alternation with its baseline. */
interface PairedBenchmark extends Scenario {
    /** Returns the measured operations of a strategy. */
    List<MeasuredOperation> operations(BenchmarkFixture fixture, LockStrategy strategy) throws InterruptedException;

    @Override
    default void run(BenchmarkContext context, Duration time) throws InterruptedException {
        run(context, time, fixture -> List.of());
    }

    /** Measures the operations of all strategies, and others with the synchronous client in the same rounds. */
    default void run(BenchmarkContext context, Duration time, Others others) throws InterruptedException {
        try (MeasuredOperations contenders = new MeasuredOperations(context)) {
            List<MeasuredOperation> operations = new ArrayList<>(contenders.operations(this::operations));
            operations.addAll(others.operations(contenders.fixture(Client.SYNC)));
            try (InterleavedRunner runner = new InterleavedRunner(context, operations)) {
                MeasurementRecorder recorder = new MeasurementRecorder(context, runner.run(time));
                runner.operations().forEach(recorder::latency);
            }
        }
    }

    /** A factory of operations that are not those of strategies. */
    @FunctionalInterface
    interface Others {
        List<MeasuredOperation> operations(BenchmarkFixture fixture) throws InterruptedException;
    }
}
