package org.mongolocks.reactive;

import java.util.concurrent.atomic.AtomicReference;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/** The state of a run that is delivered or cancelled, whichever comes first. */
final class Cancellation {
    private enum State {
        IDLE,
        RUNNING,
        DELIVERED,
        CANCELLED
    }

    private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
    private final Sinks.Empty<Void> signal = Sinks.empty();

    /** Starts the run; true the first time, unless it was cancelled before. */
    boolean begin() {
        return state.compareAndSet(State.IDLE, State.RUNNING);
    }

    /** Cancels the run, unless its result was delivered before. */
    void cancel() {
        boolean cancelled =
                state.compareAndSet(State.IDLE, State.CANCELLED) || state.compareAndSet(State.RUNNING, State.CANCELLED);
        if (cancelled) {
            signal.tryEmitEmpty();
        }
    }

    boolean isCancelled() {
        return state.get() == State.CANCELLED;
    }

    /** Marks the result as delivered; false if the run was cancelled before. */
    boolean deliver() {
        return state.compareAndSet(State.RUNNING, State.DELIVERED);
    }

    /** Completes when the run is cancelled. */
    Mono<Void> signal() {
        return signal.asMono();
    }
}
