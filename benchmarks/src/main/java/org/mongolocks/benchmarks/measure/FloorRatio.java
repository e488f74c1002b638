package org.mongolocks.benchmarks.measure;

import java.util.List;

/**
 * Tells how many times as long as the floor a strategy took. Each of its blocks is compared with the floor blocks right
 * before and after it, so that a machine that gets slower meanwhile slows both.
 *
 * @param median the ratio of the block in the middle
 * @param lower the lower quartile of the blocks
 * @param upper the upper quartile of the blocks
 * @param drift the relative difference between the two floor blocks around a block, the median of all blocks
 */
public record FloorRatio(double median, double lower, double upper, double drift) {
    /** Above this drift the machine was busy with something else too. */
    public static final double NOISY = 0.10;

    /**
     * Is a quantity of a block, such as its median, between those of its neighbours.
     *
     * @param before the floor before
     * @param block the strategy
     * @param after the floor after
     */
    public record Sandwich(double before, double block, double after) {
        /** Compares it with the mean of its neighbours. */
        public double ratio() {
            return block / floor();
        }

        /** Gives the mean of its neighbours. */
        public double floor() {
            return (before + after) / 2;
        }

        double drift() {
            return Math.max(before, after) / Math.min(before, after) - 1;
        }
    }

    public static FloorRatio of(List<Sandwich> blocks) {
        Quartiles ratios = Quartiles.of(blocks.stream().mapToDouble(Sandwich::ratio));
        Quartiles drifts = Quartiles.of(blocks.stream().mapToDouble(Sandwich::drift));
        return new FloorRatio(ratios.median(), ratios.lower(), ratios.upper(), drifts.median());
    }

    /** Tells whether the ratio is to be taken with care. */
    public boolean isNoisy() {
        return drift > NOISY;
    }
}
