package org.mongolocks.sync;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.mongolocks.LockException;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockName;
import org.mongolocks.internal.hold.Hold;

/**
 * Several locks that were acquired together, all or none. After that each is a lock of its own, with its own fencing
 * token and its own lease: it can be lost while the others are held. It belongs to no thread, and is thread-safe.
 *
 * <p>When one of the locks is lost, data that they guard together is no longer guarded. {@link #onLost} reports each
 * loss, and {@link #isHeld()} is false from the first.
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
                holds.stream().map(hold -> HeldLock.ofCaller(sessions, hold)).toList());
    }

    /**
     * Returns one of the locks. No round trip.
     *
     * @param name the name of the lock
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
     * Returns one of the locks. No round trip.
     *
     * @param name the name of the lock
     * @return the lock, with its fencing token
     * @throws IllegalArgumentException if it is not one of these
     */
    public HeldLock get(String name) {
        return get(LockName.of(name));
    }

    /**
     * Returns the locks, in the order of {@link org.mongolocks.MultiLockRequest#names()}. No round trip.
     *
     * @return all of them, also those that were released or lost
     */
    public List<HeldLock> all() {
        return List.copyOf(locks.values());
    }

    /**
     * Returns whether all of them are held; see {@link HeldLock#isHeld()}. No round trip.
     *
     * @return false once one of them was released or lost
     */
    public boolean isHeld() {
        return all().stream().allMatch(HeldLock::isHeld);
    }

    /**
     * Returns how much is left of the lease that ends first; see {@link HeldLock#remaining()}. No round trip.
     *
     * @return the time left; zero once one of them was released or lost
     */
    public Duration remaining() {
        return all().stream().map(HeldLock::remaining).min(Duration::compareTo).orElseThrow();
    }

    /**
     * Adds a listener for the loss of each lock, as {@link HeldLock#onLost} does: it is called at most once for each.
     *
     * @param listener the listener; it may be called for several losses concurrently
     */
    public void onLost(LockLostListener listener) {
        all().forEach(lock -> lock.onLost(listener));
    }

    /**
     * Releases all of them, each as {@link HeldLock#release()} does: one round trip for each, more after faults. A
     * failure of one does not stop the release of the others. A release that failed can be repeated, and sends only
     * those that are left.
     *
     * @return true if all were held until now; false if one had been lost or released before
     * @throws LockException if the server refused, or gave no reply, for at least one of them
     */
    public boolean release() {
        AtomicBoolean held = new AtomicBoolean(true);
        OneByOne.run(all(), lock -> held.compareAndSet(true, lock.release()));
        return held.get();
    }

    /** Releases all of them, each as {@link HeldLock#close()} does, and never throws. */
    @Override
    public void close() {
        all().forEach(HeldLock::close);
    }

    /** Returns a description of the locks for logs. */
    @Override
    public String toString() {
        return all().toString();
    }

    /**
     * Work that several locks guard.
     *
     * @param <E> the exceptions of the work
     */
    @FunctionalInterface
    public interface MultiLockAction<E extends Exception> {
        /**
         * Runs the work, on the thread that acquired the locks. Write the data that each of them guards with its own
         * {@link HeldLock#fencingToken()}.
         *
         * @param locks the held locks
         * @throws E if the work fails; the locks are released then too
         */
        void run(HeldLocks locks) throws E;
    }

    /** An action on several locks, which runs for each of them even if an earlier one failed. */
    static final class OneByOne {
        private OneByOne() {}

        /** Throws the first exception at the end, with the others suppressed. */
        static void run(List<HeldLock> locks, Consumer<HeldLock> each) {
            Optional<RuntimeException> first = Optional.empty();
            for (HeldLock lock : locks) {
                try {
                    each.accept(lock);
                } catch (RuntimeException e) {
                    first.ifPresent(earlier -> earlier.addSuppressed(e));
                    first = Optional.of(first.orElse(e));
                }
            }
            first.ifPresent(thrown -> {
                throw thrown;
            });
        }
    }
}
