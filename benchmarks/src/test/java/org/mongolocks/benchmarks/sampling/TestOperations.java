package org.mongolocks.benchmarks.sampling;

import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/** Parts of the operations that tests measure. */
final class TestOperations {
    private TestOperations() {}

    /** Keeps the processor busy. */
    static void spin(long nanos) {
        long started = System.nanoTime();
        while (System.nanoTime() - started < nanos) {
            Thread.onSpinWait();
        }
    }

    /** Waits until all others are here. */
    static void meet(CyclicBarrier barrier) throws InterruptedException {
        try {
            barrier.await();
        } catch (BrokenBarrierException e) {
            throw new IllegalStateException(e);
        }
    }
}
