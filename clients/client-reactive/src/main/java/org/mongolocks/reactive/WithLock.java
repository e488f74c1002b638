package org.mongolocks.reactive;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.mongolocks.LockName;
import org.mongolocks.internal.hold.Hold;
import org.mongolocks.reactive.ReactiveHeldLocks.AllOf;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.util.context.Context;
import reactor.util.context.ContextView;

/**
 * The execution of work under locks of one client. The work's subscriber context names the locks that guard it, so that
 * work that acquires its own lock again is detected.
 */
final class WithLock {
    private final ClientThreads threads;

    WithLock(ClientThreads threads) {
        this.threads = threads;
    }

    /**
     * Acquires a lock, and emits the result of the work at its end, if it has one; a lock that is lost before cancels
     * the work, and fails this. The lock is released in every case.
     */
    <R> Mono<R> under(Mono<ReactiveHeldLock> acquired, Function<ReactiveHeldLock, Mono<R>> work) {
        Function<ReactiveHeldLock, Mono<R>> ofCaller = FatalErrors.ofCaller(work);
        return threads.deliverLoss(Mono.usingWhen(
                acquired, lock -> whileHeld(List.of(lock), () -> ofCaller.apply(lock)), ReactiveHeldLock::close));
    }

    /** Does the same with several locks; one that is lost cancels the work. */
    <R> Mono<R> underAll(Mono<ReactiveHeldLocks> acquired, Function<ReactiveHeldLocks, Mono<R>> work) {
        Function<ReactiveHeldLocks, Mono<R>> ofCaller = FatalErrors.ofCaller(work);
        return threads.deliverLoss(Mono.usingWhen(
                acquired, locks -> whileHeld(locks.all(), () -> ofCaller.apply(locks)), ReactiveHeldLocks::close));
    }

    private <R> Mono<R> whileHeld(List<ReactiveHeldLock> locks, Supplier<Mono<R>> work) {
        Mono<Optional<R>> lost = Flux.fromIterable(locks)
                .flatMap(lock -> lock.lossForWork()
                        .<Optional<R>>flatMap(
                                reason -> Mono.error(lock.endOfWork().hold().lossException(null))))
                .next();
        Mono<Optional<R>> result = Mono.defer(() -> {
                    requireHeld(locks);
                    return work.get();
                })
                .map(Optional::of)
                .defaultIfEmpty(Optional.empty())
                .contextWrite(context -> guardedBy(locks, context));
        return Mono.firstWithSignal(lost, result)
                .doOnError(error -> addLossesTo(error, locks))
                .flatMap(done ->
                        AllOf.run(locks, lock -> lock.endOfWork().finish()).then(Mono.justOrEmpty(done)));
    }

    /** Returns the work of an action whose elements are dropped. */
    static Mono<Boolean> done(Publisher<?> work) {
        return Flux.from(Objects.requireNonNull(work, "The action returned null instead of a publisher"))
                .then(Mono.just(true));
    }

    /** Between the grant and the work the lock may have been lost, or its client closed. */
    private static void requireHeld(List<ReactiveHeldLock> locks) {
        locks.stream().filter(lock -> !lock.isHeld()).findFirst().ifPresent(lost -> {
            throw lost.endOfWork().hold().lossException(null);
        });
    }

    private static void addLossesTo(Throwable error, List<ReactiveHeldLock> locks) {
        locks.stream()
                .filter(lock -> !lock.isHeld() && lock.loss().isPresent())
                .forEach(lock -> lock.endOfWork().hold().addLossTo(error));
    }

    /**
     * Acquires, but refuses to acquire a lock in the work that it guards: the work would wait for its own end. Nothing
     * stands between the acquisition and its subscriber that would drop a grant when the subscriber cancels.
     *
     * @param mayBeContended whether the request is that of an owner without the lock, and does not wait
     */
    <T> Mono<T> unlessOwn(List<LockName> names, boolean mayBeContended, Mono<T> acquisition) {
        return Mono.deferContextual(context -> {
            List<ReactiveHeldLock> guards = guards(context);
            return guards.isEmpty()
                    ? acquisition
                    : guards.stream()
                            .filter(lock -> names.contains(lock.lease().name()))
                            .filter(lock -> !mayBeContended || lock.isExclusive())
                            .filter(ReactiveHeldLock::isHeld)
                            .findFirst()
                            .map(own -> Mono.<T>error(new IllegalStateException(
                                    "Lock '" + own.lease().name()
                                            + "' is held by this very work, which requests it again; only "
                                            + (own.isExclusive()
                                                    ? "work of reentrant(owner) enters it, by its withLock and the like"
                                                    : "requests of reentrant(owner) with the same owner enter it"))))
                            .orElse(acquisition);
        });
    }

    /** Emits the lock with that name that guards the work in whose chain it is subscribed to, while it is held. */
    Mono<ReactiveHeldLock> guarding(LockName name) {
        return Mono.deferContextual(context -> Mono.justOrEmpty(guards(context).stream()
                .filter(lock -> lock.lease().name().equals(name))
                .filter(ReactiveHeldLock::isHeld)
                .findFirst()));
    }

    private Context guardedBy(List<ReactiveHeldLock> locks, Context context) {
        return context.put(
                this, Stream.concat(guards(context).stream(), locks.stream()).toList());
    }

    private List<ReactiveHeldLock> guards(ContextView context) {
        return context.<List<ReactiveHeldLock>>getOrEmpty(this).orElse(List.of());
    }

    /** The end of work that a lock guarded. */
    record Completion(ReactiveHeldLock lock, Hold hold) {
        /**
         * Releases the lock; reports an earlier loss, but only logs a failed release, because the work was done in time.
         */
        Mono<Boolean> finish() {
            return Mono.defer(() -> lock.release()
                    .onErrorResume(RuntimeException.class, this::log)
                    .flatMap(held ->
                            held || lock.loss().isEmpty() ? Mono.just(true) : Mono.error(hold.lossException(null))));
        }

        private Mono<Boolean> log(RuntimeException e) {
            hold.logReleaseFailed(" after the work", e);
            return Mono.just(true);
        }
    }
}
