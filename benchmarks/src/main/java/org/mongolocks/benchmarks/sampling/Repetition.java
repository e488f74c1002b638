package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/** A timed repetition of an operation. It allocates nothing, because allocation is measured too. */
public final class Repetition {
    static final int SIGNIFICANT_DIGITS = 3;
    private static final Duration MAX_DURATION = Duration.ofHours(1);

    private final Operation operation;
    /** It never resizes. */
    private final Histogram nanos = new Histogram(MAX_DURATION.toNanos(), SIGNIFICANT_DIGITS);

    /** A repeatable operation. */
    @FunctionalInterface
    public interface Operation {
        void run() throws InterruptedException;
    }

    Repetition(Operation operation) {
        this.operation = operation;
    }

    /** Repeats an operation for some time, at least once, and returns the duration of each in nanoseconds. */
    public static Histogram nanos(Duration time, Operation operation) throws InterruptedException {
        Repetition repetition = new Repetition(operation);
        repetition.run(time.toNanos());
        return repetition.nanos;
    }

    Operation operation() {
        return operation;
    }

    /** Returns the duration of each repetition since the last reset, in nanoseconds. */
    Histogram nanos() {
        return nanos;
    }

    void reset() {
        nanos.reset();
    }

    /** Repeats the operation for some time, at least once. */
    void run(long timeNanos) throws InterruptedException {
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
