package org.mongolocks.benchmarks.sampling;

import java.util.Optional;
import java.util.function.ToDoubleFunction;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Percentiles;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.sampling.InterleavedSamples.Sample;

/** A recorder of the measurements of an interleaved run. */
public final class MeasurementRecorder {
    private final BenchmarkContext session;
    private final InterleavedSamples laps;

    public MeasurementRecorder(BenchmarkContext session, InterleavedSamples laps) {
        this.session = session;
        this.laps = laps;
    }

    /** Records latency, processor time and allocation of an operation, if it has samples. */
    public void latency(MeasuredOperation lane) {
        if (hasRun(lane)) {
            session.record(measurement(lane, Metric.LATENCY, Sample::p50Nanos, Estimate.median(medians(lane)))
                    .with(Percentiles.of(lane.nanos())));
            cost(lane);
        }
    }

    /** Records throughput, latency, processor time and allocation of an operation of several threads. */
    public void throughput(MeasuredOperation lane) {
        if (hasRun(lane)) {
            double[] rates = laps.values(lane, Sample::perSecond);
            session.record(measurement(lane, Metric.THROUGHPUT, Sample::perSecond, Estimate.mean(rates)));
            latency(lane);
        }
    }

    private void cost(MeasuredOperation lane) {
        session.record(
                measurement(lane, Metric.CPU, Sample::cpuNanos, Estimate.median(laps.values(lane, Sample::cpuNanos))));
        session.record(
                measurement(lane, Metric.ALLOCATION, Sample::bytes, Estimate.median(laps.values(lane, Sample::bytes))));
    }

    private Measurement measurement(
            MeasuredOperation lane, Metric metric, ToDoubleFunction<Sample> quantity, Estimate value) {
        Measurement plain =
                Measurement.of(lane.subject(), metric, value, lane.nanos().getTotalCount());
        return lane.floor()
                .flatMap(floor -> ratio(lane, floor, quantity))
                .map(plain::with)
                .orElse(plain);
    }

    /**
     * Returns the ratio to a baseline; empty if the baseline never ran, or its value is below one nanosecond or byte.
     */
    private Optional<Ratio> ratio(MeasuredOperation lane, MeasuredOperation floor, ToDoubleFunction<Sample> quantity) {
        double[] ratios = laps.sandwiches(lane, floor).stream()
                .map(sandwich -> sandwich.of(quantity))
                .filter(figures -> figures.floor() >= 1)
                .mapToDouble(BaselineRatio.Sandwich::ratio)
                .toArray();
        return ratios.length == 0
                ? Optional.empty()
                : Optional.of(new Ratio(floor.subject().contender(), Estimate.median(ratios)));
    }

    private boolean hasRun(MeasuredOperation lane) {
        return medians(lane).length > 0;
    }

    private double[] medians(MeasuredOperation lane) {
        return laps.values(lane, Sample::p50Nanos);
    }
}
