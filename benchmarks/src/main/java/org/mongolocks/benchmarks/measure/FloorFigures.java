package org.mongolocks.benchmarks.measure;

import java.util.List;
import java.util.LongSummaryStatistics;
import org.HdrHistogram.Histogram;

/**
 * Tells how long the floor took over the whole run.
 *
 * @param latency the latency of its two commands together
 * @param drift how much larger the median of its slowest block was than that of its fastest, as a fraction
 */
public record FloorFigures(Latency latency, double drift) {
    static FloorFigures of(List<Block> blocks) {
        Histogram all = new Histogram(Block.SIGNIFICANT_DIGITS);
        blocks.forEach(block -> all.add(block.nanos()));
        LongSummaryStatistics medians =
                blocks.stream().mapToLong(Block::p50Nanos).summaryStatistics();
        return new FloorFigures(Latency.of(all), (double) medians.getMax() / medians.getMin() - 1);
    }

    /** Tells whether the machine or the server was busy with something else too. */
    public boolean isNoisy() {
        return drift > FloorRatio.NOISY;
    }
}
