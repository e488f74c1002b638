package org.mongolocks.benchmarks.measure;

import java.util.stream.DoubleStream;

/**
 * The quartiles of some values. They are robust against outliers.
 *
 * @param lower the first quartile
 * @param median the median
 * @param upper the third quartile
 */
public record Quartiles(double lower, double median, double upper) {
    public static Quartiles of(DoubleStream values) {
        double[] sorted = values.sorted().toArray();
        return new Quartiles(at(0.25, sorted), at(0.5, sorted), at(0.75, sorted));
    }

    /** Returns by how much the upper quartile exceeds the lower, as a fraction. */
    public double drift() {
        return upper / lower - 1;
    }

    /** Interpolates linearly between two values. */
    private static double at(double fraction, double[] sorted) {
        double position = fraction * (sorted.length - 1);
        int below = (int) position;
        int above = Math.min(below + 1, sorted.length - 1);
        return sorted[below] + (position - below) * (sorted[above] - sorted[below]);
    }
}
