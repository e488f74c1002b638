package org.mongolocks.benchmarks.result;

import org.HdrHistogram.Histogram;

/**
 * The percentiles of latencies, in nanoseconds.
 *
 * @param p50 the median
 * @param p90 the 90th percentile
 * @param p99 the 99th percentile
 * @param p999 the 99.9th percentile
 * @param max the maximum
 */
public record Percentiles(long p50, long p90, long p99, long p999, long max) {
    /** The absence of latencies. */
    public static final Percentiles NONE = new Percentiles(0, 0, 0, 0, 0);

    /** Returns the percentiles of a histogram of nanoseconds. */
    public static Percentiles of(Histogram nanos) {
        return new Percentiles(
                nanos.getValueAtPercentile(50),
                nanos.getValueAtPercentile(90),
                nanos.getValueAtPercentile(99),
                nanos.getValueAtPercentile(99.9),
                nanos.getMaxValue());
    }
}
