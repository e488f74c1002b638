package org.mongolocks.benchmarks.result;

import org.HdrHistogram.Histogram;

/**
 * Tells how latencies were distributed, in nanoseconds.
 *
 * @param p50 the median
 * @param p90 what 9 of 10 did not exceed
 * @param p99 what 99 of 100 did not exceed
 * @param p999 what 999 of 1000 did not exceed
 * @param max the longest
 */
public record Percentiles(long p50, long p90, long p99, long p999, long max) {
    /** Reads them from a histogram of nanoseconds. */
    public static Percentiles of(Histogram nanos) {
        return new Percentiles(
                nanos.getValueAtPercentile(50),
                nanos.getValueAtPercentile(90),
                nanos.getValueAtPercentile(99),
                nanos.getValueAtPercentile(99.9),
                nanos.getMaxValue());
    }
}
