package org.mongolocks.benchmarks.sampling;

import java.util.Optional;
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

    /** Adds the latencies of an operation by round, for the comparison with other strategies. */
    public void compare(MeasuredOperation operation) {
        context.compare(new Series(operation.subject(), Metric.LATENCY, samples.byRound(operation, Sample::p50Nanos)));
    }

    /** Records throughput, latency, processor time and allocation of an operation of several threads. */
    public void throughput(MeasuredOperation operation) {
        if (hasRun(operation)) {
            double[] rates = samples.values(operation, Sample::perSecond);
            context.record(measurement(operation, Metric.THROUGHPUT, Sample::perSecond, Estimate.mean(rates)));
            latency(operation);
        }
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
        Measurement plain = Measurement.of(
                operation.subject(), metric, value, operation.nanos().getTotalCount());
        return operation
                .baseline()
                .flatMap(baseline -> ratio(operation, baseline, quantity))
                .map(plain::with)
                .orElse(plain);
    }

    /**
     * Returns the ratio to a baseline; empty if the baseline never ran, or its value is below one nanosecond or byte.
     */
    private Optional<Ratio> ratio(
            MeasuredOperation operation, MeasuredOperation baseline, ToDoubleFunction<Sample> quantity) {
        double[] ratios = samples.brackets(operation, baseline).stream()
                .map(bracket -> bracket.of(quantity))
                .filter(figures -> figures.baseline() >= 1)
                .mapToDouble(BaselineRatio.Bracket::ratio)
                .toArray();
        return ratios.length == 0
                ? Optional.empty()
                : Optional.of(new Ratio(baseline.subject().contender(), Estimate.median(ratios)));
    }

    private boolean hasRun(MeasuredOperation operation) {
        return medians(operation).length > 0;
    }

    private double[] medians(MeasuredOperation operation) {
        return samples.values(operation, Sample::p50Nanos);
    }
}
