package org.mongolocks.contract;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Runs something on a thread of its own while a test goes on.
 *
 * @param <T> what it results in
 */
final class Background<T> {
    private final FutureTask<T> task;
    private final Thread thread;

    private Background(Callable<T> callable) {
        this.task = new FutureTask<>(callable);
        this.thread = new Thread(task, "contract-background");
        thread.setDaemon(true);
    }

    static <T> Background<T> run(Callable<T> callable) {
        Background<T> background = new Background<>(callable);
        background.thread.start();
        return background;
    }

    void interrupt() {
        thread.interrupt();
    }

    boolean isDone() {
        return task.isDone();
    }

    /** Goes on when it has come to a point, or has ended without. */
    void runUntil(CountDownLatch point) throws InterruptedException {
        for (int steps = 0; !isDone() && steps < 1_000; steps++) {
            if (point.await(20, TimeUnit.MILLISECONDS)) {
                return;
            }
        }
    }

    /** Waits until it has ended, however it ends. */
    void awaitEnd() throws Exception {
        Soon.isTrue("the background thread ends", task::isDone);
    }

    /** Gives what came of it, or fails as it failed. */
    T result() throws Exception {
        return result(Soon.patience, () -> "");
    }

    /** Gives what came of it, or fails as it failed; if it does not end, the failure says what else is known. */
    T result(Duration patience, Supplier<String> state) throws Exception {
        try {
            return task.get(patience.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException e) {
            throw e.getCause() instanceof Exception cause ? cause : e;
        } catch (TimeoutException e) {
            thread.interrupt();
            throw new AssertionError("It did not end within " + patience + state.get(), e);
        }
    }

    /** Gives what came of it, and lets time pass until then, step by step. */
    T resultWhile(Runnable step) throws Exception {
        for (int steps = 0; !isDone() && steps < 1_000; steps++) {
            step.run();
        }
        return result();
    }
}
