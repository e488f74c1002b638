package org.mongolocks.contract;

import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another thread is about to do: it ends as soon as that is done. */
final class Soon {
    private static final long PATIENCE_SECONDS = 30;
    private static final long LOOK_MILLIS = 2;

    private Soon() {}

    /** Waits until it is true, and fails if it does not get true. */
    static void isTrue(String what, Callable<Boolean> condition) throws Exception {
        isTrueWhile(what, condition, () -> {});
    }

    /** Waits until it is true, and does something between two looks. */
    static void isTrueWhile(String what, Callable<Boolean> condition, Runnable step) throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.call()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("Within " + PATIENCE_SECONDS + " s it did not come true that " + what);
            }
            step.run();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        }
    }
}
