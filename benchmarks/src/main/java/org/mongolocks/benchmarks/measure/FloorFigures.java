package org.mongolocks.benchmarks.measure;

import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * Tells how long the floor took over the whole run.
 *
 * @param latency the latency of its two commands together
 * @param drift how much larger the upper quartile of its blocks was than the lower, as a fraction
 */
public record FloorFigures(Latency latency, double drift) {
    static FloorFigures of(List<Block> blocks) {
        Histogram all = new Histogram(Block.SIGNIFICANT_DIGITS);
        blocks.forEach(block -> all.add(block.nanos()));
        Quartiles medians = Quartiles.of(blocks.stream().mapToDouble(Block::p50Nanos));
        return new FloorFigures(Latency.of(all), medians.upper() / medians.lower() - 1);
    }

    /** Tells whether the machine or the server was busy with something else too. */
    public boolean isNoisy() {
        return drift > FloorRatio.NOISY;
    }
}
