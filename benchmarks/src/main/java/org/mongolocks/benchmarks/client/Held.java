package org.mongolocks.benchmarks.client;

/** Is a lock that is held through either client. The calling thread waits for replies. */
public interface Held {
    long fencingToken();

    /** Renews the lease; false if the lock was lost. */
    boolean renew() throws InterruptedException;

    /** Gives the lock back; false if it had been lost. */
    boolean release();
}
