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
        Histogram nanos = new Histogram(SIGNIFICANT_DIGITS);
        long started = System.nanoTime();
        long before = started;
        while (before - started < time.toNanos() || nanos.getTotalCount() == 0) {
            operation.run();
            long after = System.nanoTime();
            nanos.recordValue(after - before);
            before = after;
        }
        return new Block(nanos);
    }

    long p50Nanos() {
        return nanos.getValueAtPercentile(50);
    }
}
