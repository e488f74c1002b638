package org.mongolocks.contract;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for what another thread is about to do: it ends as soon as that is done. */
final class Soon {
    /** How long to wait for what happens at once unless something is wrong; tests of the rules set it lower. */
    static volatile Duration patience = Duration.ofSeconds(30);

    private static final long LOOK_MILLIS = 2;

    private Soon() {}

    /** Waits until it is true, and fails if it does not get true. */
    static void isTrue(String what, Callable<Boolean> condition) throws Exception {
        isTrueWhile(what, condition, () -> {});
    }

    /** Waits until it is true, and does something between two looks. */
    static void isTrueWhile(String what, Callable<Boolean> condition, Runnable step) throws Exception {
        long deadlineNanos = System.nanoTime() + patience.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("Within " + patience + " it did not come true that " + what);
            }
            step.run();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        }
    }
}
