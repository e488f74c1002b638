package org.mongolocks.benchmarks.report.chart;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.DoubleStream;

/**
 * A scale that maps values to positions on an axis.
 *
 * @param spacing the spacing of values
 * @param low the value at the start
 * @param high the value at the end
 * @param start the position of the start
 * @param end the position of the end, which may be less than the start
 */
record Scale(Spacing spacing, double low, double high, double start, double end) {
    private static final int[] STEPS = {1, 2, 5};
    private static final double WIDE = 30;
    private static final int FEW = 3;

    /** The spacing of values. */
    enum Spacing {
        LINEAR,
        /** Equal factors are equally far apart. */
        LOGARITHMIC,
        /** Logarithmic, but with a position for zero. */
        FROM_ZERO;

        private double place(double value) {
            return switch (this) {
                case LINEAR -> value;
                case LOGARITHMIC -> Math.log(value);
                case FROM_ZERO -> Math.log1p(value);
            };
        }
    }

    /** Returns a scale for measured values: from zero, unless the range is so large that small values would vanish. */
    static Scale forValues(double[] values, double start, double end) {
        double most = DoubleStream.of(values).max().orElse(1);
        double least = DoubleStream.of(values).filter(value -> value > 0).min().orElse(1);
        return most > WIDE * least
                ? logarithmic(values, start, end)
                : new Scale(Spacing.LINEAR, 0, most > 0 ? most * 1.05 : 1, start, end);
    }

    /** Returns a logarithmic scale. Values of zero or less are placed at the start. */
    static Scale logarithmic(double[] values, double start, double end) {
        double most = DoubleStream.of(values).max().orElse(1);
        double least = DoubleStream.of(values).filter(value -> value > 0).min().orElse(most / 10);
        return new Scale(Spacing.LOGARITHMIC, least / 1.15, Math.max(most, least) * 1.15, start, end);
    }

    /** Returns a scale for the values of a parameter, such as the number of waiters. */
    static Scale forSettings(double[] values, double start, double end) {
        double most = DoubleStream.of(values).max().orElse(1);
        double least = DoubleStream.of(values).min().orElse(0);
        return new Scale(least > 0 ? Spacing.LOGARITHMIC : Spacing.FROM_ZERO, least, most, start, end);
    }

    double at(double value) {
        double from = spacing.place(low);
        double until = spacing.place(high);
        double place = spacing.place(Math.min(high, Math.max(low, value)));
        return until == from ? (start + end) / 2 : start + (place - from) / (until - from) * (end - start);
    }

    /** Returns round values along the axis. */
    List<Double> ticks() {
        return spacing == Spacing.LINEAR ? linearTicks() : logarithmicTicks();
    }

    private List<Double> linearTicks() {
        double step = roundStep((high - low) / 4);
        List<Double> ticks = new ArrayList<>();
        for (double tick = Math.ceil(low / step) * step; tick <= high; tick += step) {
            ticks.add(tick);
        }
        return ticks;
    }

    private static double roundStep(double rough) {
        double power = Math.pow(10, Math.floor(Math.log10(rough)));
        return DoubleStream.of(1, 2, 5, 10)
                .map(step -> step * power)
                .filter(step -> step >= rough)
                .findFirst()
                .orElse(10 * power);
    }

    /** Returns powers of ten, and if there are fewer than three, also their multiples by two and five. */
    private List<Double> logarithmicTicks() {
        List<Double> powers = multiples(1);
        return powers.size() >= FEW ? powers : multiples(STEPS);
    }

    private List<Double> multiples(int... steps) {
        int first = (int) Math.floor(Math.log10(low));
        int last = (int) Math.ceil(Math.log10(high));
        List<Double> ticks = new ArrayList<>();
        for (int exponent = first; exponent <= last; exponent++) {
            for (int step : steps) {
                ticks.add(step * Math.pow(10, exponent));
            }
        }
        return ticks.stream().filter(tick -> tick >= low && tick <= high).toList();
    }
}
