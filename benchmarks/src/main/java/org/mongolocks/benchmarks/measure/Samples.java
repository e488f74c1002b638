package org.mongolocks.benchmarks.measure;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * The samples of an operation that was repeated for some time, at least once.
 *
 * @param nanos the duration of each repetition, in nanoseconds
 */
public record Samples(Histogram nanos) {
    public static final int SIGNIFICANT_DIGITS = 3;

    /** A repeatable operation. */
    @FunctionalInterface
    public interface Operation {
        void run() throws InterruptedException;
    }

    public static Samples of(Duration time, Operation operation) throws InterruptedException {
        Repetition repetition = new Repetition(operation);
        repetition.run(time.toNanos());
        return new Samples(repetition.nanos());
    }

    long p50Nanos() {
        return nanos.getValueAtPercentile(50);
    }
}
