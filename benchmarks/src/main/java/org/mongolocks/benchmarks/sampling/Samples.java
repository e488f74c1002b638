package org.mongolocks.benchmarks.sampling;

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

    /** A timed repetition of an operation. It allocates nothing, because allocation is measured too. */
    public static final class Repetition {
        private static final Duration MAX_DURATION = Duration.ofHours(1);

        private final Operation operation;
        /** It never resizes. */
        private final Histogram nanos = new Histogram(MAX_DURATION.toNanos(), Samples.SIGNIFICANT_DIGITS);

        public Repetition(Operation operation) {
            this.operation = operation;
        }

        public Operation operation() {
            return operation;
        }

        /** Returns the duration of each repetition since the last reset, in nanoseconds. */
        public Histogram nanos() {
            return nanos;
        }

        public void reset() {
            nanos.reset();
        }

        /** Repeats the operation for some time, at least once. */
        public void run(long timeNanos) throws InterruptedException {
            long started = System.nanoTime();
            long before = started;
            do {
                operation.run();
                long after = System.nanoTime();
                nanos.recordValue(Math.min(after - before, MAX_DURATION.toNanos()));
                before = after;
            } while (before - started < timeNanos);
        }
    }
}
