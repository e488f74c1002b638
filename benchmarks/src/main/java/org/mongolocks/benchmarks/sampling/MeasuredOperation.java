package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.sampling.CostMeter.ClientCost;
import org.mongolocks.benchmarks.sampling.InterleavedSamples.Sample;
import org.mongolocks.benchmarks.sampling.Samples.Operation;

/** A measured operation, with its samples so far. */
public final class MeasuredOperation implements AutoCloseable {
    private final MeasurementKey subject;
    private final OperationThreads workers;
    private final int batch;
    private final Optional<MeasuredOperation> baseline;
    private final Histogram nanos = new Histogram(Samples.SIGNIFICANT_DIGITS);

    private MeasuredOperation(
            MeasurementKey subject, List<Operation> workers, int batch, Optional<MeasuredOperation> baseline) {
        this.subject = subject;
        this.workers = new OperationThreads(workers);
        this.batch = batch;
        this.baseline = baseline;
    }

    /** Creates an operation without a baseline. */
    public static MeasuredOperation of(MeasurementKey subject, Operation operation) {
        return new MeasuredOperation(subject, List.of(operation), 1, Optional.empty());
    }

    /** Creates an operation that several threads execute. */
    public static MeasuredOperation of(MeasurementKey subject, List<Operation> workers) {
        return new MeasuredOperation(subject, workers, 1, Optional.empty());
    }

    /** Creates an operation that is timed in batches, because a single execution is too short to measure. */
    public static MeasuredOperation ofBatch(MeasurementKey subject, Operation operation, int batch) {
        Operation stretch = () -> {
            for (int done = 0; done < batch; done++) {
                operation.run();
            }
        };
        return new MeasuredOperation(subject, List.of(stretch), batch, Optional.empty());
    }

    /** Returns a copy with a baseline, to be measured in alternation, and without samples. */
    public MeasuredOperation over(MeasuredOperation bound) {
        return new MeasuredOperation(subject, workers.operations(), batch, Optional.of(bound));
    }

    public MeasurementKey subject() {
        return subject;
    }

    Optional<MeasuredOperation> baseline() {
        return baseline;
    }

    /** Returns whether each repetition is a batch of operations. */
    boolean isBatch() {
        return batch > 1;
    }

    /** Returns the durations of all measured repetitions in nanoseconds; for a batch, the mean of its operations. */
    Histogram nanos() {
        return nanos;
    }

    /** Repeats the operation without measuring its costs, and returns the durations in nanoseconds. */
    Histogram warmUp(Duration time) throws InterruptedException {
        workers.reset();
        workers.run(time);
        return workers.together();
    }

    Sample sample(Duration time, CostMeter meter) throws InterruptedException {
        workers.reset();
        meter.start();
        long started = System.nanoTime();
        workers.run(time);
        double elapsed = System.nanoTime() - started;
        ClientCost cost = meter.stop();
        return sample(workers.together(), elapsed, cost);
    }

    private Sample sample(Histogram stretches, double elapsedNanos, ClientCost cost) {
        keep(stretches);
        double operations = (double) stretches.getTotalCount() * batch;
        return new Sample(
                (double) stretches.getValueAtPercentile(50) / batch,
                1e9 * operations / elapsedNanos,
                cost.cpuNanos() / operations,
                cost.bytes() / operations);
    }

    private void keep(Histogram stretches) {
        stretches
                .recordedValues()
                .forEach(step -> nanos.recordValueWithCount(
                        step.getValueIteratedTo() / batch, step.getCountAtValueIteratedTo()));
    }

    @Override
    public void close() {
        workers.close();
    }
}
