package org.mongolocks.benchmarks.measure;

import org.HdrHistogram.Histogram;

/**
 * Tells how long an operation took.
 *
 * @param p50Nanos the median
 * @param p99Nanos what 99 of 100 did not exceed
 * @param samples how often it was measured
 */
public record Latency(long p50Nanos, long p99Nanos, long samples) {
    public static Latency of(Histogram histogram) {
        return new Latency(
                histogram.getValueAtPercentile(50), histogram.getValueAtPercentile(99), histogram.getTotalCount());
    }
}
