package org.mongolocks.reactive;

import java.util.function.Supplier;
import org.mongolocks.internal.run.LockTask;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/**
 * A {@code Mono} that runs a new job for each subscriber, once an element is requested.
 *
 * <p>A cancellation does not abort an operation in flight, since the server would execute it nevertheless, and the
 * session is in use until then. The run checks between operations and wakes from a pause, compensates, and only then
 * closes the session.
 *
 * @param <R> the result of the job
 */
final class ProgramMono<R> extends Mono<R> {
    private final StepRunner runner;
    private final LockTask task;
    private final Supplier<SubscriberProgram<R>> programs;

    ProgramMono(StepRunner runner, LockTask task, Supplier<SubscriberProgram<R>> programs) {
        this.runner = runner;
        this.task = task;
        this.programs = programs;
    }

    @Override
    public void subscribe(CoreSubscriber<? super R> actual) {
        actual.onSubscribe(new Run(actual));
    }

    /** The connection of one subscriber with one run. */
    private final class Run implements Subscription {
        private final CoreSubscriber<? super R> actual;
        private final Cancellation cancellation = new Cancellation();

        Run(CoreSubscriber<? super R> actual) {
            this.actual = actual;
        }

        @Override
        public void request(long n) {
            if (cancellation.begin()) {
                Mono.defer(() -> runner.run(task, programs.get(), cancellation))
                        .contextWrite(actual.currentContext())
                        .subscribe(actual::onNext, actual::onError, this::completed);
            }
        }

        @Override
        public void cancel() {
            cancellation.cancel();
        }

        private void completed() {
            if (!cancellation.isCancelled()) {
                actual.onComplete();
            }
        }
    }
}
