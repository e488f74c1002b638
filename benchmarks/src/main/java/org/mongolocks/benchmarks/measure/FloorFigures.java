package org.mongolocks.benchmarks.measure;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * Tells how long the floor took over the whole run.
 *
 * @param latency the latency of its two commands together
 * @param drift how much larger the upper quartile of its turns was than the lower, as a fraction
 */
public record FloorFigures(Latency latency, double drift) {
    /** Says nothing. */
    public static final FloorFigures NONE = new FloorFigures(new Latency(0, 0, 0), 0);

    /** Reads them from all samples, in nanoseconds, and the medians of the turns. */
    public static FloorFigures of(Histogram nanos, double... medians) {
        return new FloorFigures(
                Latency.of(nanos), Quartiles.of(Arrays.stream(medians)).drift());
    }

    /** Tells whether the machine or the server was busy with something else too. */
    public boolean isNoisy() {
        return drift > FloorRatio.NOISY;
    }
}
