package org.mongolocks.benchmarks.sampling;

import java.util.function.ToDoubleFunction;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Percentiles;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.result.PairedDifference.Series;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.sampling.InterleavedSamples.Sample;

/** A recorder of the measurements of an interleaved run. */
public final class MeasurementRecorder {
    private final BenchmarkContext context;
    private final InterleavedSamples samples;

    public MeasurementRecorder(BenchmarkContext context, InterleavedSamples samples) {
        this.context = context;
        this.samples = samples;
    }

    /** Records latency, processor time and allocation of an operation, if it has samples. */
    public void latency(MeasuredOperation operation) {
        if (hasRun(operation)) {
            context.record(measurement(operation, Metric.LATENCY, Sample::p50Nanos, Estimate.median(medians(operation)))
                    .with(Percentiles.of(operation.nanos())));
            cost(operation);
        }
    }

    /** Adds latency and processor time of an operation by round, for the comparison with other strategies. */
    public void compare(MeasuredOperation operation) {
        context.compare(new Series(operation.subject(), Metric.LATENCY, samples.byRound(operation, Sample::p50Nanos)));
        context.compare(new Series(operation.subject(), Metric.CPU, samples.byRound(operation, Sample::cpuNanos)));
    }

    private void cost(MeasuredOperation operation) {
        context.record(measurement(
                operation, Metric.CPU, Sample::cpuNanos, Estimate.median(samples.values(operation, Sample::cpuNanos))));
        context.record(measurement(
                operation,
                Metric.ALLOCATION,
                Sample::bytes,
                Estimate.median(samples.values(operation, Sample::bytes))));
    }

    private Measurement measurement(
            MeasuredOperation operation, Metric metric, ToDoubleFunction<Sample> quantity, Estimate value) {
        return Measurement.of(
                        operation.subject(), metric, value, operation.nanos().getTotalCount())
                .with(operation
                        .baseline()
                        .flatMap(baseline -> Ratio.of(
                                baseline.subject().contender(), samples.ratios(operation, baseline, quantity))));
    }

    private boolean hasRun(MeasuredOperation operation) {
        return medians(operation).length > 0;
    }

    private double[] medians(MeasuredOperation operation) {
        return samples.values(operation, Sample::p50Nanos);
    }
}
