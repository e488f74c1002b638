package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.sampling.CostMeter.ClientCost;
import org.mongolocks.benchmarks.sampling.Repetition.Operation;

/** A measured operation. */
public final class MeasuredOperation {
    private final MeasurementKey subject;
    private final Repetition repetition;
    private final Optional<MeasuredOperation> baseline;

    private MeasuredOperation(MeasurementKey subject, Operation operation, Optional<MeasuredOperation> baseline) {
        this.subject = subject;
        this.repetition = new Repetition(operation);
        this.baseline = baseline;
    }

    /** Creates an operation without a baseline. */
    public static MeasuredOperation of(MeasurementKey subject, Operation operation) {
        return new MeasuredOperation(subject, operation, Optional.empty());
    }

    /** Returns a copy with a baseline, to be measured in alternation, and without samples. */
    public MeasuredOperation over(MeasuredOperation bound) {
        return new MeasuredOperation(subject, repetition.operation(), Optional.of(bound));
    }

    public MeasurementKey subject() {
        return subject;
    }

    Optional<MeasuredOperation> baseline() {
        return baseline;
    }

    /** Repeats the operation without measuring its costs, and returns the durations in nanoseconds. */
    Histogram warmUp(Duration time) throws InterruptedException {
        repetition.reset();
        repetition.run(time.toNanos());
        return repetition.nanos();
    }

    Sample sample(Duration time, CostMeter meter) throws InterruptedException {
        repetition.reset();
        meter.start();
        repetition.run(time.toNanos());
        ClientCost cost = meter.stop();
        Histogram nanos = new Histogram(Repetition.SIGNIFICANT_DIGITS);
        nanos.add(repetition.nanos());
        double operations = nanos.getTotalCount();
        return new Sample(nanos, cost.cpuNanos() / operations, cost.bytes() / operations);
    }

    /**
     * A sample: the figures of one measurement of an operation.
     *
     * @param nanos the durations, in nanoseconds
     * @param cpuNanos the processor time per operation, in nanoseconds
     * @param bytes the allocated bytes per operation
     */
    record Sample(Histogram nanos, double cpuNanos, double bytes) {
        double p50Nanos() {
            return nanos.getValueAtPercentile(50);
        }
    }
}
