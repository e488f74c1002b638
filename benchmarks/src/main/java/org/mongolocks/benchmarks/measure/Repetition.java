package org.mongolocks.benchmarks.measure;

import java.time.Duration;
import org.HdrHistogram.Histogram;
import org.mongolocks.benchmarks.measure.Block.Operation;

/** Repeats an operation and times each repetition, without allocating anything: what is allocated is being measured. */
public final class Repetition {
    private static final Duration LONGEST = Duration.ofHours(1);

    private final Operation operation;
    private final Histogram nanos = histogram();

    public Repetition(Operation operation) {
        this.operation = operation;
    }

    /** Makes an empty histogram that never has to grow. */
    public static Histogram histogram() {
        return new Histogram(LONGEST.toNanos(), Block.SIGNIFICANT_DIGITS);
    }

    public Operation operation() {
        return operation;
    }

    /** Gives how long each repetition took since the last reset. */
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
            nanos.recordValue(Math.min(after - before, LONGEST.toNanos()));
            before = after;
        } while (before - started < timeNanos);
    }
}
