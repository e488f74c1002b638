package org.mongolocks.benchmarks.measure;

import org.HdrHistogram.Histogram;

/**
 * The latency of an operation.
 *
 * @param p50Nanos the median
 * @param p99Nanos the 99th percentile
 * @param samples the number of samples
 */
public record Latency(long p50Nanos, long p99Nanos, long samples) {
    public static Latency of(Histogram histogram) {
        return new Latency(
                histogram.getValueAtPercentile(50), histogram.getValueAtPercentile(99), histogram.getTotalCount());
    }
}
