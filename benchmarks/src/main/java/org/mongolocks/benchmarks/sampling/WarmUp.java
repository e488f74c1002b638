package org.mongolocks.benchmarks.sampling;

import org.HdrHistogram.Histogram;

/**
 * The warm-up of one operation, in turns. It ends after so many repetitions that the JVM has compiled the operation, or
 * is about to. That saves well below a tenth of a millisecond, so that an operation of a slow server need not be
 * repeated so often: its warm-up also ends when its median has stopped falling.
 */
final class WarmUp {
    private static final int WARM = 10_000;
    private static final double SLOW_NANOS = 1e6;
    private static final double FALLING = 0.98;
    private static final int STEADY_TURNS = 2;

    private long repetitions;
    private double medianNanos = Double.POSITIVE_INFINITY;
    private int steadyTurns;

    /** Adds the durations of a turn, in nanoseconds. */
    void add(Histogram nanos) {
        double median = nanos.getValueAtPercentile(50);
        repetitions += nanos.getTotalCount();
        steadyTurns = median < FALLING * medianNanos ? 0 : steadyTurns + 1;
        medianNanos = median;
    }

    boolean isOver() {
        return repetitions >= WARM || (medianNanos >= SLOW_NANOS && steadyTurns >= STEADY_TURNS);
    }
}
