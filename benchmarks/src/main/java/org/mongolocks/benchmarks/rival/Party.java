package org.mongolocks.benchmarks.rival;

import java.util.Optional;
import org.mongolocks.LockRequest;

/** Takes locks as one process would. May be used by many threads at once. */
public interface Party extends AutoCloseable {
    /**
     * Asks for a lock, as long as the request says; without a wait once.
     *
     * @return the grant, or nothing if another held the lock all the time
     */
    Optional<Grant> acquire(LockRequest request) throws InterruptedException;

    @Override
    void close();
}
