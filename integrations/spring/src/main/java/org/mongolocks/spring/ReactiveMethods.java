package org.mongolocks.spring;

import static java.lang.System.Logger.Level.WARNING;

import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import org.aopalliance.intercept.MethodInvocation;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.reactivestreams.Publisher;
import org.springframework.aop.ProxyMethodInvocation;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Calls of methods that return publishers, under locks of a reactive client: one call for each subscription. */
final class ReactiveMethods {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    /** Checks the attributes of a method with the defaults of its client. */
    void requireTerms(LockedMethod method, Object client) {
        method.requireTerms(((ReactiveLockClient) client)::request);
    }

    /** Returns a publisher of one element for a call. What fails before the call is an error of the publisher. */
    Mono<Object> mono(LockedMethod method, MethodInvocation invocation) {
        try {
            Call call = new Call(method, invocation);
            return call.entered()
                    .flatMap(entered -> entered.map(lock -> Mono.fromDirect(call.under(lock)))
                            .orElseGet(call::mono));
        } catch (RuntimeException e) {
            return method.isSkippedAfter(e) ? Mono.empty() : Mono.error(e);
        }
    }

    /** Returns a publisher of any number of elements for a call, as {@link #mono} does. */
    Flux<Object> flux(LockedMethod method, MethodInvocation invocation) {
        try {
            Call call = new Call(method, invocation);
            return call.entered()
                    .flatMapMany(entered -> entered.map(call::under).orElseGet(call::flux));
        } catch (RuntimeException e) {
            return method.isSkippedAfter(e) ? Flux.empty() : Flux.error(e);
        }
    }

    /** A call, which each subscription repeats. */
    private static final class Call {
        private final LockedMethod method;
        private final ProxyMethodInvocation invocation;
        private final ReactiveLockClient client;
        private final LockRequest request;

        Call(LockedMethod method, MethodInvocation invocation) {
            this.method = method;
            this.invocation = (ProxyMethodInvocation) invocation;
            this.client = method.client(ReactiveLockClient.class);
            this.request = method.request(invocation, client::request);
        }

        /** Emits the lock if it guards the subscription, in an annotated method or in work of the client. */
        Mono<Optional<ReactiveHeldLock>> entered() {
            return Mono.deferContextual(context -> CurrentReactiveLock.find(context, client, request.name())
                            .map(Mono::just)
                            .orElseGet(() -> client.currentLock(request.name())))
                    .map(Optional::of)
                    .defaultIfEmpty(Optional.empty());
        }

        Mono<Object> mono() {
            AtomicBoolean hasStarted = new AtomicBoolean();
            Function<ReactiveHeldLock, Mono<Object>> work = lock -> {
                hasStarted.set(true);
                return Mono.fromDirect(under(lock));
            };
            Mono<Object> done = method.throwsWhenContended()
                    ? client.callWithLock(request, work)
                    : client.tryCallWithLock(request, work)
                            .switchIfEmpty(Mono.defer(() -> Mono.fromDirect(otherwise(hasStarted))));
            return done.onErrorResume(e -> !hasStarted.get() && method.isSkippedAfter(e), e -> Mono.empty());
        }

        Flux<Object> flux() {
            AtomicBoolean hasStarted = new AtomicBoolean();
            Mono<ReactiveHeldLock> acquired = (method.throwsWhenContended()
                            ? client.acquire(request)
                            : client.tryAcquire(request))
                    .doOnNext(lock -> hasStarted.set(true));
            return Flux.<Object, ReactiveHeldLock>usingWhen(acquired, this::whileHeld, ReactiveHeldLock::close)
                    .switchIfEmpty(Flux.defer(() -> otherwise(hasStarted)))
                    .onErrorResume(e -> !hasStarted.get() && method.isSkippedAfter(e), e -> Flux.empty());
        }

        /** Returns the publisher of the method, which is cancelled and ends with an error when the lock is lost. */
        private Flux<Object> whileHeld(ReactiveHeldLock lock) {
            return under(lock)
                    .doOnError(error -> lock.lossException().ifPresent(error::addSuppressed))
                    // An error of the other publisher would not cancel this one, but its element does.
                    .takeUntilOther(lock.lost())
                    .concatWith(Mono.defer(() -> end(lock)));
        }

        /** Releases the lock after work that was done; fails if it had been lost. */
        private static Mono<Object> end(ReactiveHeldLock lock) {
            Optional<LockLostException> lost = lock.lossException();
            return lost.isPresent()
                    ? Mono.error(lost.get())
                    : lock.release()
                            .onErrorResume(RuntimeException.class, error -> log(lock, error))
                            .flatMap(held -> held
                                    ? Mono.empty()
                                    : Mono.justOrEmpty(lock.lossException()).flatMap(Mono::error));
        }

        private static Mono<Boolean> log(ReactiveHeldLock lock, RuntimeException e) {
            LOG.log(
                    WARNING,
                    lock
                            + " could not be released after the work; it is held until the server answers or its ttl has passed: "
                            + e);
            return Mono.just(true);
        }

        /** Calls the method, in a context that names the lock. */
        Flux<Object> under(ReactiveHeldLock lock) {
            return Flux.defer(() -> publisher(MethodInvocation::proceed))
                    .contextWrite(CurrentReactiveLock.guardedBy(client, lock));
        }

        /** Returns the publisher of the fallback, unless the method was called and emitted nothing. */
        private Flux<Object> otherwise(AtomicBoolean hasStarted) {
            return hasStarted.getAndSet(true) || !method.hasFallback() ? Flux.empty() : publisher(method::otherwise);
        }

        private Flux<Object> publisher(Attempt attempt) {
            Object result = result(attempt);
            return Flux.from((Publisher<?>) Objects.requireNonNull(result, () -> method + " returned null"));
        }

        /** The invocation can be repeated if each attempt proceeds with a clone of it. */
        private @Nullable Object result(Attempt attempt) {
            try {
                return attempt.make(invocation.invocableClone());
            } catch (Throwable e) {
                throw Exceptions.propagate(e);
            }
        }
    }

    /** A call of the method, or of its fallback. */
    @FunctionalInterface
    private interface Attempt {
        @Nullable
        Object make(MethodInvocation invocation) throws Throwable;
    }
}
