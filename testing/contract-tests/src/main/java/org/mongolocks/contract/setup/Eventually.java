package org.mongolocks.contract.setup;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** Waits for a condition that another thread is about to fulfil, and returns as soon as it holds. */
public final class Eventually {
    /**
     * The time limit for conditions that hold at once unless something is wrong; tests of the rules set a lower one.
     */
    public static volatile Duration timeout = Duration.ofSeconds(30);

    private static final long LOOK_MILLIS = 2;

    private Eventually() {}

    /** Waits until a condition holds, and fails if it does not in time. */
    public static void isTrue(String what, Callable<Boolean> condition) throws Exception {
        isTrueWhile(what, condition, () -> {});
    }

    /** Waits until a condition holds, and runs a step between two checks. */
    public static void isTrueWhile(String what, Callable<Boolean> condition, Runnable step) throws Exception {
        long deadlineNanos = System.nanoTime() + timeout.toNanos();
        while (!condition.call()) {
            if (System.nanoTime() - deadlineNanos > 0) {
                throw new AssertionError("Not true within " + timeout + ": " + what);
            }
            step.run();
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MILLIS));
        }
    }
}
