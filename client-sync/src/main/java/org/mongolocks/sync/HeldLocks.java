package org.mongolocks.sync;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LossListener;
import org.mongolocks.internal.Hold;

/**
 * Has several locks that were acquired together, all or none. From then on each is a lock of its own, with its own fencing
 * token and its own lease: it can be lost while the others are held. It belongs to no thread, and is thread-safe.
 *
 * <p>Keep it as one: when one of the locks is lost, what they guard together is guarded no more. {@link #onLost} tells of
 * each loss, and {@link #isHeld()} is false from the first.
 */
public final class HeldLocks implements AutoCloseable {
    private final Map<LockName, HeldLock> locks;

    private HeldLocks(List<HeldLock> locks) {
        this.locks = locks.stream()
                .collect(Collectors.toMap(
                        lock -> lock.lease().name(), Function.identity(), (one, same) -> one, LinkedHashMap::new));
    }

    static HeldLocks of(Sessions sessions, List<Hold> holds) {
        return new HeldLocks(
                holds.stream().map(hold -> new HeldLock(sessions, hold)).toList());
    }

    /**
     * Gives one of the locks. No round trip.
     *
     * @param name which
     * @return the lock, with its fencing token
     * @throws IllegalArgumentException if it is not one of these
     */
    public HeldLock get(LockName name) {
        HeldLock lock = locks.get(name);
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
    public HeldLock get(String name) {
        return get(LockName.of(name));
    }

    /**
     * Gives the locks, sorted as {@link org.mongolocks.LockSetRequest} sorts their names. No round trip.
     *
     * @return all of them, whatever has become of them
     */
    public List<HeldLock> all() {
        return List.copyOf(locks.values());
    }

    /**
     * Tells whether every one is held; see {@link HeldLock#isHeld()}. No round trip.
     *
     * @return false once one of them was released or lost
     */
    public boolean isHeld() {
        return all().stream().allMatch(HeldLock::isHeld);
    }

    /**
     * Tells how much is left of the lease that ends first; see {@link HeldLock#remaining()}. No round trip.
     *
     * @return the time left; zero once one of them was released or lost
     */
    public Duration remaining() {
        return all().stream().map(HeldLock::remaining).min(Duration::compareTo).orElseThrow();
    }

    /**
     * Has a listener told of each lock that is lost, as {@link HeldLock#onLost} does: at most once for each.
     *
     * @param listener whom to tell; it may be told of several losses at the same time
     */
    public void onLost(LossListener listener) {
        all().forEach(lock -> lock.onLost(listener));
    }

    /**
     * Gives all of them back, each as {@link HeldLock#release()} does: one round trip for each, more after faults. One
     * that fails keeps none of the others from being given back. A release that failed can be repeated, and asks for
     * those that are left.
     *
     * @return true if every one was held until now; false if one had been lost or given back before
     * @throws LockException if the server refused, or gave no answer, for one of them at least
     */
    public boolean release() {
        AtomicBoolean held = new AtomicBoolean(true);
        OneByOne.run(all(), lock -> held.compareAndSet(true, lock.release()));
        return held.get();
    }

    /** Returns all of them back, each as {@link HeldLock#close()} does, and never throws. */
    @Override
    public void close() {
        all().forEach(HeldLock::close);
    }

    /** Describes the locks for people. */
    @Override
    public String toString() {
        return all().toString();
    }
}
