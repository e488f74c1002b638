package org.mongolocks.benchmarks.measure;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/**
 * Is one stretch of an operation that was repeated for some time, at least once.
 *
 * @param nanos how long each repetition took
 */
public record Block(Histogram nanos) {
    public static final int SIGNIFICANT_DIGITS = 3;

    /** Is what is repeated. */
    @FunctionalInterface
    public interface Operation {
        void run() throws InterruptedException;
    }

    public static Block of(Duration time, Operation operation) throws InterruptedException {
        Repetition repetition = new Repetition(operation);
        repetition.run(time.toNanos());
        return new Block(repetition.nanos());
    }

    long p50Nanos() {
        return nanos.getValueAtPercentile(50);
    }
}
