package org.mongolocks.benchmarks.sampling;

import java.util.List;
import java.util.stream.DoubleStream;

/**
 * The ratio of the time of a strategy to that of its baseline. Each block of samples is compared with the baseline
 * blocks immediately before and after it, so that a slower machine affects both.
 *
 * @param lower the lower quartile of the blocks
 * @param upper the upper quartile of the blocks
 * @param drift the relative difference between the two baseline blocks around a block, the median of all blocks
 */
public record BaselineRatio(double median, double lower, double upper, double drift) {
    /**
     * A quantity of a block, such as its median, with those of its neighbours.
     *
     * @param before the baseline before
     * @param block the strategy
     * @param after the baseline after
     */
    public record Bracket(double before, double block, double after) {
        /** Returns the ratio to the mean of the neighbours. */
        public double ratio() {
            return block / baseline();
        }

        /** Returns the mean of the neighbours. */
        public double baseline() {
            return (before + after) / 2;
        }

        double drift() {
            return Math.max(before, after) / Math.min(before, after) - 1;
        }
    }

    public static BaselineRatio of(List<Bracket> blocks) {
        Quartiles ratios = Quartiles.of(blocks.stream().mapToDouble(Bracket::ratio));
        Quartiles drifts = Quartiles.of(blocks.stream().mapToDouble(Bracket::drift));
        return new BaselineRatio(ratios.median(), ratios.lower(), ratios.upper(), drifts.median());
    }

    /**
     * The quartiles of some values. They are robust against outliers.
     *
     * @param lower the first quartile
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
}
