package org.mongolocks.benchmarks.rival;

import java.util.Optional;
import org.mongolocks.LockRequest;

/** Takes locks as one process would. May be used by many threads at once. */
public interface Locks extends AutoCloseable {
    /**
     * Asks for a lock, as long as the request says; without a wait once.
     *
     * @return the grant, or nothing if another held the lock all the time
     */
    Optional<Grant> acquire(LockRequest request) throws InterruptedException;

    /** Has somebody wait for a lock until the result is closed, on a thread of its own unless the client needs none. */
    default Parked park(LockRequest request) {
        return ParkedThread.start(this, request);
    }

    @Override
    void close();

    /** Is somebody who waits for a lock. */
    @FunctionalInterface
    interface Parked extends AutoCloseable {
        /** Ends the wait. A lock that was granted is given back. */
        @Override
        void close();
    }
}
