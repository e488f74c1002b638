package org.mongolocks.benchmarks.client;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Counts events by name, and tells who awaits one by its number, on the thread that has it. Thread-safe. */
final class Bells {
    private record Ring(String name, long number) {}

    private final Map<String, Long> counts = new HashMap<>();
    private final Map<Ring, CompletableFuture<Void>> rings = new HashMap<>();
    private @Nullable Throwable failure;

    void ring(String name) {
        next(name).complete(null);
    }

    /** There will be no more events. */
    synchronized void fail(Throwable cause) {
        failure = cause;
        rings.values().forEach(ring -> ring.completeExceptionally(cause));
    }

    /** Gives what completes with an event; from the first on they have numbers. */
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
