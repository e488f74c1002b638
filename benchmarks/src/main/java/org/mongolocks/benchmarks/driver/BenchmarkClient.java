package org.mongolocks.benchmarks.driver;

import java.util.Optional;
import org.mongolocks.LockRequest;

/** A lock client of either driver. Blocks the calling thread until the server replies. */
public interface BenchmarkClient extends AutoCloseable {
    /** Makes one attempt and ignores the wait time of the request. */
    Optional<BenchmarkLock> tryAcquire(LockRequest request) throws InterruptedException;

    /** Acquires the lock and waits up to the wait time of the request. */
    Optional<BenchmarkLock> acquire(LockRequest request) throws InterruptedException;

    /** Acquires reentrantly: the owner may hold the lock already. */
    Optional<BenchmarkLock> enter(Object owner, LockRequest request) throws InterruptedException;

    /**
     * Starts waiting in the background, on a separate thread if the client blocks its callers, and returns an action
     * that cancels the wait.
     */
    Runnable park(LockRequest request);

    @Override
    void close();

    /** A lock held through either client. Blocks the calling thread until the server replies. */
    public interface BenchmarkLock {
        long fencingToken();

        /** Renews the lease. Returns false if the lock was lost. */
        boolean renew() throws InterruptedException;

        /** Releases the lock. Returns false if it had been lost. */
        boolean release();
    }
}
