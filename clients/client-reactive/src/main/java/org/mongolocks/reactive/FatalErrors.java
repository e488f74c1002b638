package org.mongolocks.reactive;

import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;
import org.mongolocks.internal.base.CallerLoader;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * The errors that Reactor rethrows and signals to nobody when a callback throws them: its subscriber would wait for ever.
 * They are replaced by an exception, which Reactor signals.
 */
final class FatalErrors {
    private FatalErrors() {}

    static <T> T call(Supplier<T> callback) {
        try {
            return callback.get();
        } catch (RuntimeException | Error e) {
            if (Exceptions.isFatal(e)) {
                throw replaced(e);
            }
            throw e;
        }
    }

    private static IllegalStateException replaced(Throwable fatal) {
        return new IllegalStateException("A callback failed with " + fatal, fatal);
    }

    static void run(Runnable callback) {
        Boolean unused = call(() -> {
            callback.run();
            return true;
        });
    }

    /**
     * Returns work of the calling code, which is called at the subscription. Such an error is signalled, whether the
     * function, the subscription or an operator throws it, as long as that runs on the thread that subscribes or
     * requests. That thread has the context class loader of the caller meanwhile.
     */
    static <A, T> Function<A, Mono<T>> ofCaller(Function<A, Mono<T>> work) {
        CallerLoader caller = CallerLoader.ofThisThread();
        return argument -> new Mono<>() {
            @Override
            public void subscribe(CoreSubscriber<? super T> actual) {
                Signalling<T> signalling = new Signalling<>(actual, caller);
                signalling.run(() -> Objects.requireNonNull(
                                work.apply(argument), "The work returned null instead of a publisher")
                        .subscribe(signalling));
            }
        };
    }

    /** Passes all signals, and an error that is thrown instead of a signal. */
    private static final class Signalling<T> implements CoreSubscriber<T>, Subscription {
        private final CoreSubscriber<? super T> actual;
        private final CallerLoader caller;
        private final AtomicBoolean ended = new AtomicBoolean();
        private volatile Subscription source = Operators.emptySubscription();
        private volatile boolean subscribed;

        Signalling(CoreSubscriber<? super T> actual, CallerLoader caller) {
            this.actual = actual;
            this.caller = caller;
        }

        void run(Runnable part) {
            try {
                FatalErrors.run(caller.with(part));
            } catch (RuntimeException e) {
                source.cancel();
                if (!subscribed) {
                    onSubscribe(Operators.emptySubscription());
                }
                onError(e);
            }
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }

        @Override
        public void onSubscribe(Subscription subscription) {
            source = subscription;
            subscribed = true;
            actual.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            run(() -> source.request(n));
        }

        @Override
        public void cancel() {
            source.cancel();
        }

        @Override
        public void onNext(T element) {
            actual.onNext(element);
        }

        @Override
        public void onError(Throwable error) {
            if (ended.compareAndSet(false, true)) {
                actual.onError(Exceptions.isFatal(error) ? replaced(error) : error);
            } else {
                Operators.onErrorDropped(error, currentContext());
            }
        }

        @Override
        public void onComplete() {
            if (ended.compareAndSet(false, true)) {
                actual.onComplete();
            }
        }
    }
}
