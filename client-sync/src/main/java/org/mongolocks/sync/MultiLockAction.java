package org.mongolocks.sync;

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
