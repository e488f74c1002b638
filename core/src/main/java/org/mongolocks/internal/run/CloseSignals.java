package org.mongolocks.internal.run;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** The signals that end the pauses of programs that await no lock when their client is closed. Thread-safe. */
public final class CloseSignals {
    /** With more compensations than this between two attempts, the server has been unreachable for long. */
    static final int MAX_SIGNALS = 1_000;

    private final Set<CloseSignal> signals = new HashSet<>();
    private boolean ended;

    /**
     * Returns a signal for one pause, which completes at {@link #end}; empty if that was called before, or {@value
     * #MAX_SIGNALS} programs pause.
     */
    public synchronized Optional<CloseSignal> signal() {
        if (ended || signals.size() >= MAX_SIGNALS) {
            return Optional.empty();
        }
        CloseSignal signal = new CloseSignal();
        signals.add(signal);
        return Optional.of(signal);
    }

    /** Completes all signals: the client, whose locks may have drained, is being closed. */
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
