package org.mongolocks.sync;

/**
 * Is work that several locks guard.
 *
 * @param <E> what the work may throw
 */
@FunctionalInterface
public interface LockedSetAction<E extends Exception> {
    /**
     * Does the work, on the thread that acquired the locks. Write what each of them guards with its own
     * {@link HeldLock#fencingToken()}.
     *
     * @param locks the held locks
     * @throws E if the work fails; the locks are released then too
     */
    void run(HeldLocks locks) throws E;
}
