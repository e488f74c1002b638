package org.mongolocks.benchmarks.measure;

import java.util.stream.DoubleStream;

/**
 * Tells where the middle of some values is, and where their middle half ends. A few wild values do not move them.
 *
 * @param lower a quarter of the values is smaller
 * @param median half of the values is smaller
 * @param upper a quarter of the values is larger
 */
public record Quartiles(double lower, double median, double upper) {
    public static Quartiles of(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return new Quartiles(at(0.25, sorted), at(0.5, sorted), at(0.75, sorted));
    }

    /** Tells how much larger the upper one is than the lower, as a fraction: how far the values drifted. */
    public double drift() {
        return upper / lower - 1;
    }

    /** What lies between two values is interpolated. */
    private static double at(double fraction, double[] sorted) {
        double position = fraction * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }
}
