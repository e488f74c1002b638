package org.mongolocks.benchmarks.jmh;

import java.util.function.LongConsumer;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;

/** Is a lock client of either driver, as a benchmark uses it: the calling thread waits. */
@FunctionalInterface
interface Locker {
    /**
     * Acquires a lock, has something done with its fencing token, and releases the lock.
     *
     * @throws LockException if the lock was not granted in time, or was lost
     */
    void underLock(LockRequest request, LongConsumer section) throws InterruptedException;
}
