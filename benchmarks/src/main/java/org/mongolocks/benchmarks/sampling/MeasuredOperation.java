package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import java.util.Optional;
import org.HdrHistogram.Histogram;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.sampling.CostMeter.ClientCost;
import org.mongolocks.benchmarks.sampling.InterleavedSamples.Sample;
import org.mongolocks.benchmarks.sampling.Samples.Operation;
import org.mongolocks.benchmarks.sampling.Samples.Repetition;

/** A measured operation, with its samples so far. */
public final class MeasuredOperation {
    private final MeasurementKey subject;
    private final Repetition repetition;
    private final Optional<MeasuredOperation> baseline;
    private final Histogram nanos = new Histogram(Samples.SIGNIFICANT_DIGITS);

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

    /** Returns the durations of all measured repetitions in nanoseconds. */
    Histogram nanos() {
        return nanos;
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
        Histogram stretch = repetition.nanos();
        nanos.add(stretch);
        long operations = stretch.getTotalCount();
        return new Sample(
                stretch.getValueAtPercentile(50),
                (double) cost.cpuNanos() / operations,
                (double) cost.bytes() / operations);
    }
}
