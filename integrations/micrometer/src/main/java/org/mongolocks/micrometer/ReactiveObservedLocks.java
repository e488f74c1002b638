package org.mongolocks.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;
import java.util.function.Function;
import org.mongolocks.LockRequest;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;

/**
 * Calls of a {@link ReactiveLockClient} with observations, for traces and logs: {@link LockObservation#ACQUIRE} while
 * it acquires, from the subscription, and {@link LockObservation#WORK} from the grant until the release has ended, or
 * until a cancellation. An observation is in the Reactor context, under the key of Micrometer's
 * {@code ObservationThreadLocalAccessor}, where operators upstream of it and the work find it as their parent. Its own
 * parent is the observation in the subscriber's context, or else the current one of the thread that subscribes. No scope is
 * opened.
 *
 * <pre>{@code
 * ReactiveObservedLocks observed = ReactiveObservedLocks.of(locks, observationRegistry);
 * Mono<Boolean> done = observed.withLock(request, lock -> bill(lock)); // false if another owner holds it
 * }</pre>
 *
 * <p>Each method does what the client's method of that name does, with the same signals, and sends nothing besides.
 * With {@link ObservationRegistry#NOOP} it only forwards. A contended lock is an outcome, not an error. Renewals and
 * losses happen on threads of the client: {@link LockMetrics} counts them. Thread-safe.
 */
public final class ReactiveObservedLocks {
    /** The key of {@code ObservationThreadLocalAccessor}, a class that needs the library context-propagation. */
    static final String KEY = "micrometer.observation";

    private final ReactiveLockClient locks;
    private final ObservationRegistry registry;

    private ReactiveObservedLocks(ReactiveLockClient locks, ObservationRegistry registry) {
        this.locks = Objects.requireNonNull(locks, "The client is null");
        this.registry = Objects.requireNonNull(registry, "The registry is null");
    }

    /**
     * Creates observed calls of a client. No round trip.
     *
     * @param locks the client; the caller closes it
     * @param registry the registry of the observations
     * @return the observed calls
     */
    public static ReactiveObservedLocks of(ReactiveLockClient locks, ObservationRegistry registry) {
        return new ReactiveObservedLocks(locks, registry);
    }

    /**
     * Acquires a lock as {@link ReactiveLockClient#acquire} does, and observes the acquisition.
     *
     * @param request the lock, the ttl and the wait
     * @return emits the held lock, or nothing if another owner held it all the time; fails as the client does
     */
    public Mono<ReactiveHeldLock> acquire(LockRequest request) {
        if (registry.isNoop()) {
            return locks.acquire(request);
        }
        return observe(request, call -> locks.acquire(request).doOnNext(lock -> call.acquired(lock.fencingToken())));
    }

    /**
     * Acquires a lock as {@link ReactiveLockClient#acquireOrThrow(LockRequest)} does, and observes the acquisition.
     *
     * @param request the lock, the ttl and the wait
     * @return emits the held lock; fails as the client does, also if another owner held it all the time
     */
    public Mono<ReactiveHeldLock> acquireOrThrow(LockRequest request) {
        if (registry.isNoop()) {
            return locks.acquireOrThrow(request);
        }
        return observe(
                request, call -> locks.acquireOrThrow(request).doOnNext(lock -> call.acquired(lock.fencingToken())));
    }

    /**
     * Runs work as {@link ReactiveLockClient#withLock(LockRequest, Function)} does, and observes the acquisition and
     * the work.
     *
     * @param request the lock, the ttl and the wait
     * @param action returns the work; its elements are dropped
     * @return emits true if the work was done; false if another owner held the lock all the time and nothing was done;
     *     fails as the client does
     */
    public Mono<Boolean> withLock(LockRequest request, Function<ReactiveHeldLock, ? extends Publisher<?>> action) {
        Objects.requireNonNull(action, "The action is null");
        if (registry.isNoop()) {
            return locks.withLock(request, action);
        }
        return observe(
                request,
                call -> locks.withLock(request, lock -> {
                    Observation work = call.beginWork(lock.fencingToken());
                    return Flux.from(action.apply(lock)).contextWrite(with(work));
                }));
    }

    /**
     * Runs work as {@link ReactiveLockClient#callWithLock(LockRequest, Function)} does, and observes the acquisition
     * and the work.
     *
     * @param request the lock, the ttl and the wait
     * @param work returns the work
     * @param <R> the result of the work
     * @return emits the result; empty if another owner held the lock all the time and nothing was done, or if the work
     *     is empty; fails as the client does
     */
    public <R> Mono<R> callWithLock(LockRequest request, Function<ReactiveHeldLock, Mono<R>> work) {
        Objects.requireNonNull(work, "The work is null");
        if (registry.isNoop()) {
            return locks.callWithLock(request, work);
        }
        return observe(request, call -> locks.callWithLock(request, observed(call, work)));
    }

    /**
     * Runs work as {@link ReactiveLockClient#call(LockRequest, Function)} does, and observes the acquisition and the
     * work.
     *
     * @param request the lock, the ttl and the wait
     * @param work returns the work
     * @param <R> the result of the work
     * @return emits the result, or nothing if the work is empty; fails as the client does, also if another owner held
     *     the lock all the time
     */
    public <R> Mono<R> call(LockRequest request, Function<ReactiveHeldLock, Mono<R>> work) {
        Objects.requireNonNull(work, "The work is null");
        if (registry.isNoop()) {
            return locks.call(request, work);
        }
        return observe(request, call -> locks.call(request, observed(call, work)));
    }

    private static <R> Function<ReactiveHeldLock, Mono<R>> observed(
            ObservedCall call, Function<ReactiveHeldLock, Mono<R>> work) {
        return lock -> {
            Observation begun = call.beginWork(lock.fencingToken());
            return work.apply(lock).contextWrite(with(begun));
        };
    }

    /** An observation begins with the subscription, and ends before its signal goes downstream. */
    private <R> Mono<R> observe(LockRequest request, Function<ObservedCall, Mono<R>> body) {
        Objects.requireNonNull(request, "The request is null");
        return Mono.deferContextual(subscriber -> {
            ObservedCall call = new ObservedCall(
                    registry,
                    request.name(),
                    locks.strategy().name(),
                    ObservedCall.Mode.REACTIVE,
                    subscriber.getOrDefault(KEY, null));
            return Mono.defer(() -> body.apply(call))
                    .doOnSuccess(result -> call.returned())
                    .doOnError(call::failed)
                    .doOnCancel(call::cancelled)
                    .contextWrite(with(call.latest()));
        });
    }

    private static Function<Context, Context> with(Observation observation) {
        return context -> observation.isNoop() ? context : context.put(KEY, observation);
    }
}
