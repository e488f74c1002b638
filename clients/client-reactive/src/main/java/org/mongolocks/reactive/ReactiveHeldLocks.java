package org.mongolocks.reactive;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.mongolocks.LockException;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockName;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Signal;

/**
 * Several locks that were acquired together, all or none. After that each is a lock of its own, with its own fencing
 * token and its own lease: it can be lost while the others are held. It belongs to no thread, and is thread-safe.
 *
 * <p>When one of the locks is lost, data that they guard together is no longer guarded. {@link #onLost} reports each
 * loss, and {@link #isHeld()} is false from the first.
 */
public final class ReactiveHeldLocks {
    private final Map<LockName, ReactiveHeldLock> locks;

    ReactiveHeldLocks(List<ReactiveHeldLock> locks) {
        this.locks = locks.stream()
                .collect(Collectors.toMap(
                        lock -> lock.lease().name(), Function.identity(), (one, same) -> one, LinkedHashMap::new));
    }

    /**
     * Returns one of the locks. No round trip.
     *
     * @param name the name of the lock
     * @return the lock, with its fencing token
     * @throws IllegalArgumentException if it is not one of these
     */
    public ReactiveHeldLock get(LockName name) {
        ReactiveHeldLock lock = locks.get(name);
        if (lock == null) {
            throw new IllegalArgumentException("No lock '" + name + "' among " + locks.keySet());
        }
        return lock;
    }

    /**
     * Returns one of the locks. No round trip.
     *
     * @param name the name of the lock
     * @return the lock, with its fencing token
     * @throws IllegalArgumentException if it is not one of these
     */
    public ReactiveHeldLock get(String name) {
        return get(LockName.of(name));
    }

    /**
     * Returns the locks, in the order of {@link org.mongolocks.MultiLockRequest#names()}. No round trip.
     *
     * @return all of them, also those that were released or lost
     */
    public List<ReactiveHeldLock> all() {
        return List.copyOf(locks.values());
    }

    /**
     * Returns whether all of them are held; see {@link ReactiveHeldLock#isHeld()}. No round trip.
     *
     * @return false once one of them was released or lost
     */
    public boolean isHeld() {
        return all().stream().allMatch(ReactiveHeldLock::isHeld);
    }

    /**
     * Returns how much is left of the lease that ends first; see {@link ReactiveHeldLock#remaining()}. No round trip.
     *
     * @return the time left; zero once one of them was released or lost
     */
    public Duration remaining() {
        return all().stream()
                .map(ReactiveHeldLock::remaining)
                .min(Duration::compareTo)
                .orElseThrow();
    }

    /**
     * Adds a listener for the loss of each lock, as {@link ReactiveHeldLock#onLost} does: it is called at most once for
     * each.
     *
     * @param listener the listener; it may be called for several losses concurrently
     */
    public void onLost(LockLostListener listener) {
        all().forEach(lock -> lock.onLost(listener));
    }

    /**
     * Releases all of them at the same time, each as {@link ReactiveHeldLock#release()} does: one round trip for each,
     * more after faults. A failure of one does not stop the release of the others. Once subscribed it runs to its end,
     * also if it is cancelled. A release that failed can be repeated, and sends only those that are left.
     *
     * @return emits true if all were held until now; false if one had been lost or released before. Fails with
     *     {@link LockException} if the server refused, or gave no reply, for at least one of them.
     */
    public Mono<Boolean> release() {
        return AllOf.run(all(), ReactiveHeldLock::release);
    }

    /**
     * Releases all of them, each as {@link ReactiveHeldLock#close()} does, and never fails.
     *
     * @return completes when that is done
     */
    public Mono<Void> close() {
        return Flux.fromIterable(all()).flatMap(ReactiveHeldLock::close).then();
    }

    /** Returns a description of the locks for logs. */
    @Override
    public String toString() {
        return all().toString();
    }

    /** An action on several locks at the same time, which completes for each of them even if another one fails. */
    static final class AllOf {
        private AllOf() {}

        /**
         * Emits whether the result was true for all, or fails, when all have ended, with the first error and the others
         * suppressed.
         */
        static Mono<Boolean> run(List<ReactiveHeldLock> locks, Function<ReactiveHeldLock, Mono<Boolean>> each) {
            return Flux.fromIterable(locks)
                    .flatMap(lock -> each.apply(lock).materialize())
                    .collectList()
                    .flatMap(AllOf::together);
        }

        private static Mono<Boolean> together(List<Signal<Boolean>> ends) {
            Optional<Throwable> error = ends.stream()
                    .flatMap(end -> Optional.ofNullable(end.getThrowable()).stream())
                    .reduce((first, next) -> {
                        first.addSuppressed(next);
                        return first;
                    });
            boolean all = ends.stream().allMatch(end -> Boolean.TRUE.equals(end.get()));
            return error.<Mono<Boolean>>map(Mono::error).orElseGet(() -> Mono.just(all));
        }
    }
}
