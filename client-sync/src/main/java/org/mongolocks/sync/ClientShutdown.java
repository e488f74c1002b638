package org.mongolocks.sync;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.mongolocks.internal.hold.HoldRegistry;

/** The shutdown of a client, within the time of its settings. */
record ClientShutdown(Sessions sessions, HoldRegistry holds, ClientThreads daemons) {
    /** Releases all held locks and ends the threads; an interrupt ends the wait and is kept. */
    void close() {
        Duration limit = sessions.settings().holding().closeTimeout();
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        CompletableFuture<Void> ended = holds.close().thenCompose(released -> sessions.idle());
        sessions.room().close();
        try {
            daemons.endAfter(ended, deadlineNanos);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            daemons.stop();
        }
    }
}
