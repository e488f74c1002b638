package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.sampling.BenchmarkFixture;
import org.mongolocks.benchmarks.sampling.InterleavedRunner;
import org.mongolocks.benchmarks.sampling.MeasuredOperation;
import org.mongolocks.benchmarks.sampling.MeasuredOperations;
import org.mongolocks.benchmarks.sampling.MeasurementRecorder;
import org.mongolocks.spi.LockStrategy;

/** A benchmark of one operation of each strategy, with each client, in alternation with its baseline. */
abstract class PairedBenchmark implements Benchmark {
    private final String id;
    private final String title;
    private final int weight;

    /**
     * Creates a benchmark.
     *
     * @param id the id for {@code --only}
     * @param title the name of the measurement
     * @param weight the share of the run time
     */
    PairedBenchmark(String id, String title, int weight) {
        this.id = id;
        this.title = title;
        this.weight = weight;
    }

    @Override
    public final String id() {
        return id;
    }

    @Override
    public final String title() {
        return title;
    }

    @Override
    public final int weight() {
        return weight;
    }

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        run(context, time, fixture -> List.of());
    }

    /** Measures the operations of all strategies, and others with the synchronous client in the same rounds. */
    final void run(BenchmarkContext context, Duration time, Others others) throws InterruptedException {
        try (MeasuredOperations contenders = new MeasuredOperations(context, id)) {
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

    /** Returns the measured operations of a strategy. */
    abstract List<MeasuredOperation> operations(BenchmarkFixture fixture, LockStrategy strategy)
            throws InterruptedException;
}
