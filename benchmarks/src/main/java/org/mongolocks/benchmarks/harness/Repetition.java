package org.mongolocks.benchmarks.harness;

import java.time.Duration;
import org.HdrHistogram.Histogram;

/** Does something again and again for some time, at least once. */
final class Repetition {
    private static final int WARM_UP = 3;

    /** Is what is repeated. */
    @FunctionalInterface
    interface Operation {
        void run() throws InterruptedException;
    }

    private Repetition() {}

    /** Gives how long each took, in nanoseconds, but for the first few on new connections. */
    static Histogram of(Duration time, Operation operation) throws InterruptedException {
        for (int warmUp = 0; warmUp < WARM_UP; warmUp++) {
            operation.run();
        }
        Histogram nanos = new Histogram(3);
        long started = System.nanoTime();
        for (long before = started; before - started < time.toNanos() || nanos.getTotalCount() == 0; ) {
            operation.run();
            long after = System.nanoTime();
            nanos.recordValue(after - before);
            before = after;
        }
        return nanos;
    }
}
