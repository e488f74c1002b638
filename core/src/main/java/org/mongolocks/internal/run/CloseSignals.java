package org.mongolocks.internal.run;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The signals that end the pauses of programs that await no lock when their client is closed. From then on the programs
 * pause for the time of closing only. Thread-safe.
 */
public final class CloseSignals {
    /** With more compensations than this between two attempts, the server has been unreachable for long. */
    static final int MAX_SIGNALS = 1_000;

    private final Set<CloseSignal> signals = new HashSet<>();
    private OptionalLong endNanos = OptionalLong.empty();

    /**
     * Returns a signal for one pause, which completes at {@link #end}, if that was not called before; empty if {@value
     * #MAX_SIGNALS} programs pause.
     */
    public synchronized Optional<CloseSignal> signal() {
        CloseSignal signal = new CloseSignal();
        return signals.size() < MAX_SIGNALS && signals.add(signal) ? Optional.of(signal) : Optional.empty();
    }

    /** Returns the earlier of two times: the one given, and the end of the time for closing, if that has begun. */
    synchronized long earlier(long nanos) {
        return endNanos.isPresent() && endNanos.getAsLong() - nanos < 0 ? endNanos.getAsLong() : nanos;
    }

    /** Completes all signals: the client, whose locks may have drained, is being closed, which may take until then. */
    public void end(long deadlineNanos) {
        List<CloseSignal> all;
        synchronized (this) {
            endNanos = endNanos.isPresent() ? endNanos : OptionalLong.of(deadlineNanos);
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
