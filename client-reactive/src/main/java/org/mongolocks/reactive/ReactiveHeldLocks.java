package org.mongolocks.reactive;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LossListener;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Has several locks that were acquired together, all or none. From then on each is a lock of its own, with its own fencing
 * token and its own lease: it can be lost while the others are held. It belongs to no thread, and is thread-safe.
 *
 * <p>Keep it as one: when one of the locks is lost, what they guard together is guarded no more. {@link #onLost} tells of
 * each loss, and {@link #isHeld()} is false from the first.
 */
public final class ReactiveHeldLocks {
    private final Map<LockName, ReactiveHeldLock> locks;

    ReactiveHeldLocks(List<ReactiveHeldLock> locks) {
        this.locks = locks.stream()
                .collect(Collectors.toMap(
                        lock -> lock.lease().name(), Function.identity(), (one, same) -> one, LinkedHashMap::new));
    }

    /**
     * Gives one of the locks. No round trip.
     *
     * @param name which
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
     * Gives one of the locks. No round trip.
     *
     * @param name which
     * @return the lock, with its fencing token
     * @throws IllegalArgumentException if it is not one of these
     */
    public ReactiveHeldLock get(String name) {
        return get(LockName.of(name));
    }

    /**
     * Gives the locks, sorted as {@link org.mongolocks.LockSetRequest} sorts their names. No round trip.
     *
     * @return all of them, whatever has become of them
     */
    public List<ReactiveHeldLock> all() {
        return List.copyOf(locks.values());
    }

    /**
     * Tells whether every one is held; see {@link ReactiveHeldLock#isHeld()}. No round trip.
     *
     * @return false once one of them was released or lost
     */
    public boolean isHeld() {
        return all().stream().allMatch(ReactiveHeldLock::isHeld);
    }

    /**
     * Tells how much is left of the lease that ends first; see {@link ReactiveHeldLock#remaining()}. No round trip.
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
     * Has a listener told of each lock that is lost, as {@link ReactiveHeldLock#onLost} does: at most once for each.
     *
     * @param listener whom to tell; it may be told of several losses at the same time
     */
    public void onLost(LossListener listener) {
        all().forEach(lock -> lock.onLost(listener));
    }

    /**
     * Gives all of them back at the same time, each as {@link ReactiveHeldLock#release()} does: one round trip for each,
     * more after faults. One that fails keeps none of the others from being given back. Once subscribed it goes on to its
     * end, also if it is cancelled. A release that failed can be repeated, and asks for those that are left.
     *
     * @return emits true if every one was held until now; false if one had been lost or given back before. Fails with
     *     {@link LockException} if the server refused, or gave no answer, for one of them at least.
     */
    public Mono<Boolean> release() {
        return AllOf.run(all(), ReactiveHeldLock::release);
    }

    /**
     * Gives all of them back, each as {@link ReactiveHeldLock#close()} does, and never fails.
     *
     * @return completes when that is done
     */
    public Mono<Void> close() {
        return Flux.fromIterable(all()).flatMap(ReactiveHeldLock::close).then();
    }

    /** Describes the locks for people. */
    @Override
    public String toString() {
        return all().toString();
    }
}
