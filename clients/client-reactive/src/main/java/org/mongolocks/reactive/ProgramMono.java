package org.mongolocks.reactive;

import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.mongolocks.internal.run.CompensatedProgram;
import org.mongolocks.internal.run.LockTask;
import org.mongolocks.spi.Step;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

/**
 * A {@code Mono} that runs a new job for each subscriber, once an element is requested.
 *
 * <p>A cancellation does not abort an operation in flight, since the server would execute it nevertheless, and the
 * session is in use until then. The run checks between operations and wakes from a pause, compensates, and only then
 * closes the session. A job that runs to its end also begins when it is cancelled before an element was requested.
 */
final class ProgramMono<R> extends Mono<R> {
    private final StepRunner runner;
    private final LockTask task;
    private final boolean isDelivered;
    private final boolean runsToEnd;
    private final Supplier<CompensatedProgram<R>> programs;

    private ProgramMono(
            StepRunner runner,
            LockTask task,
            boolean isDelivered,
            boolean runsToEnd,
            Supplier<CompensatedProgram<R>> programs) {
        this.runner = runner;
        this.task = task;
        this.isDelivered = isDelivered;
        this.runsToEnd = runsToEnd;
        this.programs = programs;
    }

    /** Makes a {@code Mono} for a subscriber of the user, who gets the result on a thread that delivers results. */
    static <R> ProgramMono<R> delivered(StepRunner runner, LockTask task, Supplier<CompensatedProgram<R>> programs) {
        return new ProgramMono<>(runner, task, true, false, programs);
    }

    /** The same with a job that runs to its end once there is a subscriber, although that cancels. */
    static <R> ProgramMono<R> toEnd(StepRunner runner, LockTask task, Supplier<Step<R>> program) {
        return new ProgramMono<>(runner, task, true, true, () -> program::get);
    }

    /** Makes a {@code Mono} whose subscriber, the client itself, gets the result on any thread. */
    static <R> ProgramMono<R> inBackground(StepRunner runner, LockTask task, Supplier<CompensatedProgram<R>> programs) {
        return new ProgramMono<>(runner, task, false, false, programs);
    }

    @Override
    public void subscribe(CoreSubscriber<? super R> actual) {
        actual.onSubscribe(new Run(actual));
    }

    /** The connection of one subscriber with one run. */
    private final class Run implements Subscription {
        private final CoreSubscriber<? super R> actual;
        private final Cancellation cancellation = new Cancellation(runsToEnd);

        Run(CoreSubscriber<? super R> actual) {
            this.actual = actual;
        }

        @Override
        public void request(long n) {
            begin();
        }

        private void begin() {
            if (cancellation.begin()) {
                Mono.defer(() -> runner.run(task, isDelivered, FatalErrors.call(programs), cancellation))
                        .contextWrite(actual.currentContext())
                        .subscribe(actual::onNext, actual::onError, this::completed);
            }
        }

        @Override
        public void cancel() {
            if (runsToEnd) {
                begin();
            }
            cancellation.cancel();
        }

        private void completed() {
            if (!cancellation.isCancelled()) {
                actual.onComplete();
            }
        }
    }

    /** The state of a run that is delivered or cancelled, whichever comes first. */
    static final class Cancellation {
        private enum State {
            IDLE,
            RUNNING,
            DELIVERED,
            CANCELLED
        }

        private final boolean runsToEnd;
        private final AtomicReference<State> state = new AtomicReference<>(State.IDLE);
        private final Sinks.Empty<Void> signal = Sinks.empty();

        Cancellation(boolean runsToEnd) {
            this.runsToEnd = runsToEnd;
        }

        /** Starts the run; true the first time, unless it was cancelled before. */
        boolean begin() {
            return state.compareAndSet(State.IDLE, State.RUNNING);
        }

        /** Cancels the run, unless its result was delivered before. */
        void cancel() {
            boolean cancelled = state.compareAndSet(State.IDLE, State.CANCELLED)
                    || state.compareAndSet(State.RUNNING, State.CANCELLED);
            if (cancelled) {
                signal.tryEmitEmpty();
            }
        }

        /** Returns whether the program stops before its next operation. */
        boolean stopsProgram() {
            return !runsToEnd && isCancelled();
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
}
