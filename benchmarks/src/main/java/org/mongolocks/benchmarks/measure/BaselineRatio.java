package org.mongolocks.benchmarks.measure;

import java.util.List;

/**
 * The ratio of the time of a strategy to that of its baseline. Each block of samples is compared with the baseline
 * blocks immediately before and after it, so that a slower machine affects both.
 *
 * @param median the median ratio of the blocks
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
    public record Sandwich(double before, double block, double after) {
        /** Returns the ratio to the mean of the neighbours. */
        public double ratio() {
            return block / floor();
        }

        /** Returns the mean of the neighbours. */
        public double floor() {
            return (before + after) / 2;
        }

        double drift() {
            return Math.max(before, after) / Math.min(before, after) - 1;
        }
    }

    public static BaselineRatio of(List<Sandwich> blocks) {
        Quartiles ratios = Quartiles.of(blocks.stream().mapToDouble(Sandwich::ratio));
        Quartiles drifts = Quartiles.of(blocks.stream().mapToDouble(Sandwich::drift));
        return new BaselineRatio(ratios.median(), ratios.lower(), ratios.upper(), drifts.median());
    }
}
