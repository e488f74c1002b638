package org.mongolocks.sync;

/**
 * Is work that a lock guards.
 *
 * @param <E> what the work may throw
 */
@FunctionalInterface
public interface LockedAction<E extends Exception> {
    /**
     * Does the work, on the thread that acquired the lock. Write what the lock guards with
     * {@link HeldLock#fencingToken()}.
     *
     * @param lock the held lock
     * @throws E if the work fails; the lock is released then too
     */
    void run(HeldLock lock) throws E;
}
