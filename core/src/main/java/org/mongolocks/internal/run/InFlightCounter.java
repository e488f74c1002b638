package org.mongolocks.internal.run;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** A count of running operations, so that closing a client can wait for their end. Thread-safe. */
public final class InFlightCounter {
    private final List<CompletableFuture<Void>> waiting = new ArrayList<>();
    private int running;

    /** Creates a count of zero. */
    public InFlightCounter() {}

    /** Records the start of an operation. */
    public synchronized void began() {
        running++;
    }

    /** Records the end of an operation. */
    public void ended() {
        endedOf().forEach(waiter -> waiter.complete(null));
    }

    /**
     * Returns when nothing is running.
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
