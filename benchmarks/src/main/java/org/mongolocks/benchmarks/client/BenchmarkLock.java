package org.mongolocks.benchmarks.client;

/** A lock held through either client. Blocks the calling thread until the server replies. */
public interface BenchmarkLock {
    long fencingToken();

    /** Renews the lease. Returns false if the lock was lost. */
    boolean renew() throws InterruptedException;

    /** Releases the lock. Returns false if it had been lost. */
    boolean release();
}
