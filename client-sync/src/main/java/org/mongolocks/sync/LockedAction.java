package org.mongolocks.sync;

/**
 * Work that a lock guards.
 *
 * @param <E> the exceptions of the work
 */
@FunctionalInterface
public interface LockedAction<E extends Exception> {
    /**
     * Runs the work, on the thread that acquired the lock. Write guarded data with {@link HeldLock#fencingToken()}.
     *
     * @param lock the held lock
     * @throws E if the work fails; the lock is released then too
     */
    void run(HeldLock lock) throws E;
}
