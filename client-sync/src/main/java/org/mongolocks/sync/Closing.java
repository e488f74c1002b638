package org.mongolocks.sync;

import static java.lang.System.Logger.Level.WARNING;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.mongolocks.internal.Holds;

/** Ends all that a client has, in the time that its settings give. */
record Closing(Sessions sessions, Holds holds, Daemons daemons) {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");
    /** What the threads get to end in, however little of the limit is left. */
    private static final Duration LEAST_END = Duration.ofMillis(100);

    /** Gives back what is held and ends the threads; an interrupt ends the waiting and is kept. */
    void close() {
        Duration limit = sessions.settings().holding().closeTimeout();
        long deadlineNanos = System.nanoTime() + limit.toNanos();
        CompletableFuture<Void> ended = holds.close().thenCompose(released -> sessions.idle());
        sessions.room().close();
        try {
            await(ended, deadlineNanos);
            daemons.end(Duration.ofNanos(Math.max(LEAST_END.toNanos(), deadlineNanos - System.nanoTime())));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            daemons.stop();
        }
    }

    private static void await(CompletableFuture<Void> ended, long deadlineNanos) throws InterruptedException {
        try {
            ended.get(deadlineNanos - System.nanoTime(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            LOG.log(WARNING, "A lock client was closed before all that it held was given back");
        } catch (ExecutionException e) {
            throw new IllegalStateException("A lock client could not be closed", e.getCause());
        }
    }
}
