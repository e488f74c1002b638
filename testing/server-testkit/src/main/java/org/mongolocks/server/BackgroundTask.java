package org.mongolocks.server;

import java.time.Duration;
import java.util.Collection;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/**
 * A task that runs on its own thread while a test continues.
 *
 * @param <T> the type of its result
 */
public final class BackgroundTask<T> {
    private final FutureTask<T> task;
    private final Thread thread;

    private BackgroundTask(Callable<T> callable) {
        this.task = new FutureTask<>(callable);
        this.thread = new Thread(task, "contract-background");
        thread.setDaemon(true);
    }

    public static <T> BackgroundTask<T> run(Callable<T> callable) {
        BackgroundTask<T> background = new BackgroundTask<>(callable);
        background.thread.start();
        return background;
    }

    public void interrupt() {
        thread.interrupt();
    }

    public boolean isDone() {
        return task.isDone();
    }

    /** Waits until the task has reached a point, or has ended without reaching it. */
    public void runUntil(CountDownLatch point) throws InterruptedException {
        for (int steps = 0; !isDone() && steps < 1_000; steps++) {
            if (point.await(20, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    /** Waits until the task has ended, normally or not. */
    public void awaitEnd() throws Exception {
        Eventually.isTrue("the background thread ends", task::isDone);
    }

    /** Returns the result of the task, or throws its exception. */
    public T result() throws Exception {
        return result(Eventually.timeout, () -> "");
    }

    /**
     * Returns the result of the task, or throws its exception; if the task does not end in time, the error includes the
     * given state.
     */
    public T result(Duration timeout, Supplier<String> state) throws Exception {
        try {
            return task.get(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } catch (TimeoutException e) {
            thread.interrupt();
            throw new AssertionError("The background task did not end within " + timeout + state.get(), e);
        }
    }

    /** Returns the result of the task, and lets time pass step by step until it has ended. */
    public T resultWhile(Runnable step) throws Exception {
        for (int steps = 0; !isDone() && steps < 1_000; steps++) {
            step.run();
        }
        return result();
    }

    /** Waits for a condition that another thread is about to fulfil, and returns as soon as it holds. */
    public static final class Eventually {
        /**
         * The time limit for conditions that hold at once unless something is wrong; tests of the rules set a lower one.
         */
        public static volatile Duration timeout = Duration.ofSeconds(60);

        private static final long LOOK_MILLIS = 2;

        private Eventually() {}

        /** Waits until a condition holds, and fails if it does not in time. */
        public static void isTrue(String what, Callable<Boolean> condition) throws Exception {
            isTrueWhile(what, condition, () -> {});
        }

        /** Waits until tasks have ended, as long as they make progress: until a count has not grown for the time limit. */
        public static void areDone(Collection<? extends BackgroundTask<?>> tasks, IntSupplier progress)
                throws Exception {
            while (!tasks.stream().allMatch(BackgroundTask::isDone)) {
                int before = progress.getAsInt();
                isTrue(
                        "there is progress after " + before + " steps",
                        () -> progress.getAsInt() > before || tasks.stream().allMatch(BackgroundTask::isDone));
            }
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
}
