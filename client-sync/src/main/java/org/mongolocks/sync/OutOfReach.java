package org.mongolocks.sync;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Ends a transaction where no interrupt of the calling thread reaches the driver: on a thread of its own. */
final class OutOfReach {
    private OutOfReach() {}

    /** Does it, and waits for its end; an interrupt meanwhile stays for whoever looks next. */
    static void run(Runnable work) {
        FutureTask<Void> task = new FutureTask<>(work, null);
        Thread thread = new Thread(
                task, "mongo-locks-abort-for-" + Thread.currentThread().getName());
        thread.setDaemon(true);
        thread.start();
        await(task);
    }

    private static void await(FutureTask<Void> task) {
        boolean interrupted = false;
        try {
            while (!isDone(task)) {
                interrupted = true;
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** Waits; false if the wait was interrupted. */
    private static boolean isDone(FutureTask<Void> task) {
        try {
            task.get();
            return true;
        } catch (InterruptedException e) {
            return false;
        } catch (ExecutionException e) {
            throw new IllegalStateException("A transaction could not be ended", e.getCause());
        }
    }
}
