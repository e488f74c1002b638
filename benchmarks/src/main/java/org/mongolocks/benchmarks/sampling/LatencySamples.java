package org.mongolocks.benchmarks.sampling;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.HdrHistogram.Histogram;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Percentiles;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;

/** The latency samples of one lock under test, by repetition. */
public final class LatencySamples {
    private final Histogram all = new Histogram(3);
    private final List<Double> medians = new ArrayList<>();

    public void add(Histogram nanos) {
        all.add(nanos);
        medians.add((double) nanos.getValueAtPercentile(50));
    }

    public boolean isEmpty() {
        return medians.isEmpty();
    }

    /** Returns the median over the repetitions, and the percentiles of all latencies. */
    public Measurement measurement(MeasurementKey subject, Metric metric) {
        return Measurement.of(subject, metric, Estimate.median(array(medians)), all.getTotalCount())
                .with(Percentiles.of(all));
    }

    /** Returns the ratio to a baseline, repetition by repetition, for the repetitions that both have. */
    public Ratio ratioTo(String id, LatencySamples baseline) {
        int shared = Math.min(medians.size(), baseline.medians.size());
        return new Ratio(
                id,
                Estimate.median(IntStream.range(0, shared)
                        .mapToDouble(turn -> medians.get(turn) / baseline.medians.get(turn))
                        .toArray()));
    }

    private static double[] array(List<Double> values) {
        return values.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
