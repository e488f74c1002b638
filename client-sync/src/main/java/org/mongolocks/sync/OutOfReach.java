package org.mongolocks.sync;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;

/** Does something to its end where no interrupt of the calling thread reaches it: on a thread of its own. */
final class OutOfReach {
    private OutOfReach() {}

    /** Does it, and waits for its end; an interrupt meanwhile stays for whoever looks next. */
    static void run(Runnable work) {
        FutureTask<Void> task = new FutureTask<>(work, null);
        Thread thread = new Thread(task, "mongo-locks-abort");
        thread.setDaemon(true);
        thread.start();
        boolean interrupted = await(task);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean await(FutureTask<Void> task) {
        boolean interrupted = false;
        while (true) {
            try {
                task.get();
                return interrupted;
            } catch (InterruptedException e) {
                interrupted = true;
            } catch (ExecutionException e) {
                throw new IllegalStateException("What must not be interrupted failed", e.getCause());
            }
        }
    }
}
