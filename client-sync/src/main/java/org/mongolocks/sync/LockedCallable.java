package org.mongolocks.sync;

import org.jspecify.annotations.Nullable;

/**
 * Work that a lock guards, with a result.
 *
 * @param <R> the result
 * @param <E> the exceptions of the work
 */
@FunctionalInterface
public interface LockedCallable<R extends @Nullable Object, E extends Exception> {
    /**
     * Runs the work, on the thread that acquired the lock. Write guarded data with {@link HeldLock#fencingToken()}.
     *
     * @param lock the held lock
     * @return the result
     * @throws E if the work fails; the lock is released then too
     */
    R call(HeldLock lock) throws E;
}
