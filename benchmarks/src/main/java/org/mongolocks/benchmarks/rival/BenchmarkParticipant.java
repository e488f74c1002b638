package org.mongolocks.benchmarks.rival;

import java.util.Optional;
import org.mongolocks.LockRequest;

/** A participant of a benchmark: acquires locks like a separate process. Thread-safe. */
public interface BenchmarkParticipant extends AutoCloseable {
    /**
     * Acquires a lock and waits up to the wait time of the request; makes one attempt if that is zero.
     *
     * @return the grant, or empty if another owner held the lock the whole time
     */
    Optional<AcquiredLock> acquire(LockRequest request) throws InterruptedException;

    @Override
    void close();
}
