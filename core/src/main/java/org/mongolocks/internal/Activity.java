package org.mongolocks.internal;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Counts what is running, so that a client that is closed can wait for the end of it. Thread-safe. */
public final class Activity {
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private int running;

    /** Makes a count of nothing. */
    public Activity() {}

    /** Notes that something has begun. */
    public synchronized void began() {
        running++;
    }

    /** Notes that something has ended. */
    public void ended() {
        endedOf().forEach(waiter -> waiter.complete(null));
    }

    /**
     * Tells when nothing is running.
     *
     * @return completes at the first moment from now when nothing runs
     */
    public synchronized CompletableFuture<Void> idle() {
        CompletableFuture<Void> idle = new CompletableFuture<>();
        if (running == 0) {
            idle.complete(null);
        } else {
            waiting.add(idle);
        }
        return idle;
    }

    private synchronized List<CompletableFuture<Void>> endedOf() {
        running--;
        if (running > 0) {
            return List.of();
        }
        List<CompletableFuture<Void>> told = List.copyOf(waiting);
        waiting.clear();
        return told;
    }
}
