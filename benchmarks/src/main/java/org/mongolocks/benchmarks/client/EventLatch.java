package org.mongolocks.benchmarks.client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * A latch per named event: counts events by name and completes a future when the n-th event of a name arrives, on the
 * thread that reports the event. Thread-safe.
 */
final class EventLatch {
    private record Ring(String name, long number) {}

    private final Map<String, Long> counts = new HashMap<>();
    private final Map<Ring, CompletableFuture<Void>> rings = new HashMap<>();
    private @Nullable Throwable failure;

    void ring(String name) {
        next(name).complete(null);
    }

    /** Fails all present and future waits: no more events will arrive. */
    synchronized void fail(Throwable cause) {
        failure = cause;
        rings.values().forEach(ring -> ring.completeExceptionally(cause));
    }

    /** Returns a future that completes with the n-th event of a name, counted from 1. */
    synchronized CompletableFuture<Void> rung(String name, long number) {
        CompletableFuture<Void> ring = rings.computeIfAbsent(new Ring(name, number), one -> new CompletableFuture<>());
        if (failure != null) {
            ring.completeExceptionally(failure);
        }
        return ring;
    }

    private synchronized CompletableFuture<Void> next(String name) {
        return rung(name, counts.merge(name, 1L, Long::sum));
    }
}
