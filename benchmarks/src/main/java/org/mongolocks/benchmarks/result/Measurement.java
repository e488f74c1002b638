package org.mongolocks.benchmarks.result;

import java.util.Optional;

/**
 * Is one number that a benchmark found.
 *
 * @param subject what was measured, and how
 * @param metric what the number means
 * @param value the number: the median of latencies, processor time and allocation, otherwise the mean
 * @param samples how many operations it comes from
 * @param percentiles of latencies only
 * @param ratio against the floor, if there is one
 */
public record Measurement(
        Subject subject,
        Metric metric,
        Estimate value,
        long samples,
        Optional<Percentiles> percentiles,
        Optional<Ratio> ratio) {
    /** Gives a measurement that is nothing but a number. */
    public static Measurement of(Subject subject, Metric metric, Estimate value, long samples) {
        return new Measurement(subject, metric, value, samples, Optional.empty(), Optional.empty());
    }

    /** Gives the same with the distribution of its latencies. */
    public Measurement with(Percentiles distribution) {
        return new Measurement(subject, metric, value, samples, Optional.of(distribution), ratio);
    }

    /** Gives the same compared with its floor. */
    public Measurement with(Ratio comparison) {
        return new Measurement(subject, metric, value, samples, percentiles, Optional.of(comparison));
    }
}
