package org.mongolocks.micrometer;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.Objects;
import java.util.function.Function;
import org.mongolocks.LockRequest;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.reactive.ReactiveLockOperations;
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
 * Mono<Boolean> done = observed.tryWithLock(request, lock -> bill(lock)); // false if another owner holds it
 * }</pre>
 *
 * <p>Each method does what the client's method of that name does, with the same signals, and sends nothing besides.
 * With {@link ObservationRegistry#NOOP} it only forwards. A contended lock is an outcome, not an error. Renewals and
 * losses happen on threads of the client: {@link LockMetrics} counts them. Thread-safe.
 */
public final class ReactiveObservedLocks implements ReactiveLockOperations {
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

    @Override
    public LockRequest request(String name) {
        return locks.request(name);
    }

    @Override
    public Mono<ReactiveHeldLock> tryAcquire(LockRequest request) {
        return acquired(request, locks.tryAcquire(request));
    }

    @Override
    public Mono<ReactiveHeldLock> acquire(LockRequest request) {
        return acquired(request, locks.acquire(request));
    }

    private Mono<ReactiveHeldLock> acquired(LockRequest request, Mono<ReactiveHeldLock> acquisition) {
        return registry.isNoop()
                ? acquisition
                : observe(request, call -> acquisition.doOnNext(lock -> call.acquired(lock.fencingToken())));
    }

    @Override
    public <R> Mono<R> callWithLock(LockRequest request, Function<ReactiveHeldLock, Mono<R>> work) {
        Objects.requireNonNull(work, "The work is null");
        return registry.isNoop()
                ? locks.callWithLock(request, work)
                : observe(request, call -> locks.callWithLock(request, observed(call, work)));
    }

    @Override
    public <R> Mono<R> tryCallWithLock(LockRequest request, Function<ReactiveHeldLock, Mono<R>> work) {
        Objects.requireNonNull(work, "The work is null");
        return registry.isNoop()
                ? locks.tryCallWithLock(request, work)
                : observe(request, call -> locks.tryCallWithLock(request, observed(call, work)));
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
                    locks.strategyName(),
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
