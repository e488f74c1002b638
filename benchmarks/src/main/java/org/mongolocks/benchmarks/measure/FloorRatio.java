package org.mongolocks.benchmarks.measure;

import java.util.List;

/**
 * Tells how many times as long as the floor a strategy took. Each of its blocks is compared with the floor blocks right
 * before and after it, so that a machine that gets slower meanwhile slows both.
 *
 * @param median the ratio of the block in the middle
 * @param lowest the ratio of the best block
 * @param highest the ratio of the worst block
 * @param drift the largest relative difference between the two floor blocks around one block
 */
public record FloorRatio(double median, double lowest, double highest, double drift) {
    /** Above this drift the machine was busy with something else too. */
    static final double NOISY = 0.10;

    /**
     * Is the median of a block, between those of its neighbours.
     *
     * @param before the floor before
     * @param block the strategy
     * @param after the floor after
     */
    record Sandwich(long before, long block, long after) {
        double ratio() {
            return 2.0 * block / (before + after);
        }

        double drift() {
            return (double) Math.max(before, after) / Math.min(before, after) - 1;
        }
    }

    static FloorRatio of(List<Sandwich> blocks) {
        double[] ratios = blocks.stream().mapToDouble(Sandwich::ratio).sorted().toArray();
        double drift = blocks.stream().mapToDouble(Sandwich::drift).max().orElseThrow();
        return new FloorRatio(middle(ratios), ratios[0], ratios[ratios.length - 1], drift);
    }

    /** Tells whether the ratio is to be taken with care. */
    public boolean isNoisy() {
        return drift > NOISY;
    }

    private static double middle(double[] sorted) {
        int upper = sorted.length / 2;
        int lower = (sorted.length - 1) / 2;
        return (sorted[lower] + sorted[upper]) / 2;
    }
}
