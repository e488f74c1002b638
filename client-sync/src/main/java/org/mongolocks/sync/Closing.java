package org.mongolocks.sync;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.mongolocks.internal.Holds;

/** Ends all that a client has, in the time that its settings give. */
record Closing(Sessions sessions, Holds holds, Daemons daemons) {
    /** Gives back what is held and ends the threads; an interrupt ends the waiting and is kept. */
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
