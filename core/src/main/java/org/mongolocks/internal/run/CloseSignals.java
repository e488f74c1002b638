package org.mongolocks.internal.run;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The pauses of programs of one client that await no lock; they end when the client is closed. Thread-safe. */
public final class ClosePauses {
    /** With more compensations than this between two attempts, the server has been unreachable for long. */
    static final int MAX_PAUSES = 1_000;

    private final Set<CloseSignal> signals = new HashSet<>();
    private boolean ended;

    /**
     * Returns a signal for one pause, which completes at {@link #end}; empty if that was called before, or {@value
     * #MAX_PAUSES} programs pause.
     */
    public synchronized Optional<CloseSignal> signal() {
        if (ended || signals.size() >= MAX_PAUSES) {
            return Optional.empty();
        }
        CloseSignal signal = new CloseSignal();
        signals.add(signal);
        return Optional.of(signal);
    }

    /** Ends all pauses: the client, whose locks may have drained, is being closed. */
    public void end() {
        List<CloseSignal> all;
        synchronized (this) {
            ended = true;
            all = List.copyOf(signals);
        }
        all.forEach(signal -> signal.future.complete(null));
    }

    private synchronized void remove(CloseSignal signal) {
        signals.remove(signal);
    }

    /** A signal that the client is closed, for one pause, at whose end it must be closed. */
    public final class CloseSignal implements AutoCloseable {
        private final CompletableFuture<Void> future = new CompletableFuture<>();

        private CloseSignal() {}

        /** Returns the future, which completes when the client is closed. */
        public CompletableFuture<Void> future() {
            return future;
        }

        @Override
        public void close() {
            remove(this);
        }
    }
}
