package org.mongolocks.benchmarks.result;

import java.util.Optional;

/**
 * A measurement: one number found by a benchmark.
 *
 * @param subject the measured object and the parameters
 * @param metric the meaning of the number
 * @param value the number: the median for latency, processor time and allocation, otherwise the mean
 * @param samples the number of operations it is based on
 * @param percentiles the percentiles, for latencies only
 * @param ratio the ratio to the baseline, if there is one
 */
public record Measurement(
        MeasurementKey subject,
        Metric metric,
        Estimate value,
        long samples,
        Optional<Percentiles> percentiles,
        Optional<Ratio> ratio) {
    /** Returns a measurement without percentiles and ratio. */
    public static Measurement of(MeasurementKey subject, Metric metric, Estimate value, long samples) {
        return new Measurement(subject, metric, value, samples, Optional.empty(), Optional.empty());
    }

    /** Returns a copy with the percentiles of its latencies. */
    public Measurement with(Percentiles distribution) {
        return new Measurement(subject, metric, value, samples, Optional.of(distribution), ratio);
    }

    /** Returns a copy with the ratio to its baseline. */
    public Measurement with(Ratio comparison) {
        return new Measurement(subject, metric, value, samples, percentiles, Optional.of(comparison));
    }
}
