package org.mongolocks.sync;

import java.util.concurrent.CompletableFuture;

/** The abort of a transaction on another thread, where an interrupt of the calling thread does not reach the driver. */
final class UninterruptibleAbort {
    private UninterruptibleAbort() {}

    /** Runs the work, and waits for its end; an interrupt meanwhile is kept. */
    static void run(Runnable work) {
        CompletableFuture.runAsync(work, UninterruptibleAbort::start).join();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(
                work, "mongo-locks-abort-for-" + Thread.currentThread().getName());
        thread.setDaemon(true);
        thread.start();
    }
}
