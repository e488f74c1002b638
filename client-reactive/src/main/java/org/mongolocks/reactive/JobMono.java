package org.mongolocks.reactive;

import java.util.function.Supplier;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;

/**
 * Runs a fresh job for each subscriber, once something is requested.
 *
 * <p>Cancelling does not cut off an operation that is under way, since the server would execute it nevertheless, and the
 * session is in use until then. The run notices between operations and wakes from a pause, takes back what it has done,
 * and only then lets go of the session.
 *
 * @param <R> what the job results in
 */
final class JobMono<R> extends Mono<R> {
    private final StepRunner runner;
    private final String task;
    private final Supplier<Job<R>> jobs;

    JobMono(StepRunner runner, String task, Supplier<Job<R>> jobs) {
        this.runner = runner;
        this.task = task;
        this.jobs = jobs;
    }

    @Override
    public void subscribe(CoreSubscriber<? super R> actual) {
        actual.onSubscribe(new Run(actual));
    }

    /** Connects one subscriber with one run. */
    private final class Run implements Subscription {
        private final CoreSubscriber<? super R> actual;
        private final Cancellation cancellation = new Cancellation();

        Run(CoreSubscriber<? super R> actual) {
            this.actual = actual;
        }

        @Override
        public void request(long n) {
            if (cancellation.begin()) {
                Mono.defer(() -> runner.run(task, jobs.get(), cancellation))
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
