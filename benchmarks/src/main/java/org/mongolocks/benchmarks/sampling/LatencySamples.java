package org.mongolocks.benchmarks.sampling;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Measurement.Percentiles;
import org.mongolocks.benchmarks.result.Measurement.Ratio;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.Metric;
import org.mongolocks.benchmarks.sampling.Rounds.Round;

/** The latency samples of one lock under test, by round. */
public final class LatencySamples {
    private final Histogram all = new Histogram(3);
    private final SortedMap<Integer, Double> medians = new TreeMap<>();

    /** Adds the latencies of a round, if it counts. */
    public void add(Round round, Histogram nanos) {
        if (round.counts()) {
            all.add(nanos);
            medians.put(round.number(), (double) nanos.getValueAtPercentile(50));
        }
    }

    /** Returns the median of each round that counts. */
    public SortedMap<Integer, Double> byRound() {
        return Collections.unmodifiableSortedMap(medians);
    }

    public boolean isEmpty() {
        return medians.isEmpty();
    }

    /** Returns the median over the rounds, and the percentiles of all latencies. */
    public Measurement measurement(MeasurementKey subject, Metric metric) {
        return Measurement.of(
                        subject,
                        metric,
                        Estimate.median(medians.values().stream()
                                .mapToDouble(Double::doubleValue)
                                .toArray()),
                        all.getTotalCount())
                .with(Percentiles.of(all));
    }

    /** Returns the ratio to a baseline, round by round, for the rounds that both have, if these are enough. */
    public Optional<Ratio> ratioTo(String id, LatencySamples baseline) {
        return Ratio.of(id, Ratio.byRound(medians, baseline.medians));
    }
}
