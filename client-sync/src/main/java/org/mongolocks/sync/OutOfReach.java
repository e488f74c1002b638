package org.mongolocks.sync;

import java.util.concurrent.CompletableFuture;

/** Ends a transaction where no interrupt of the calling thread reaches the driver: on a thread of its own. */
final class OutOfReach {
    private OutOfReach() {}

    /** Does it, and waits for its end; an interrupt meanwhile stays for whoever looks next. */
    static void run(Runnable work) {
        CompletableFuture.runAsync(work, OutOfReach::start).join();
    }

    private static void start(Runnable work) {
        Thread thread = new Thread(
                work, "mongo-locks-abort-for-" + Thread.currentThread().getName());
        thread.setDaemon(true);
        thread.start();
    }
}
