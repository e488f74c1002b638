package org.mongolocks.benchmarks.measure;

import java.util.Arrays;
import org.HdrHistogram.Histogram;

/**
 * The results of the baseline over the whole run.
 *
 * @param latency the latency of its two commands together
 * @param drift by how much the upper quartile of its turns exceeded the lower, as a fraction
 */
public record BaselineResult(Latency latency, double drift) {
    /** The absence of results. */
    public static final BaselineResult NONE = new BaselineResult(new Latency(0, 0, 0), 0);

    /** Computes the results from all samples, in nanoseconds, and the medians of the turns. */
    public static BaselineResult of(Histogram nanos, double... medians) {
        return new BaselineResult(
                Latency.of(nanos), Quartiles.of(Arrays.stream(medians)).drift());
    }

    /** Returns whether the machine or the server was probably busy with other work. */
    public boolean isNoisy() {
        return drift > BaselineRatio.NOISY;
    }
}
