package org.mongolocks.benchmarks.client;

import java.util.Optional;
import org.mongolocks.LockRequest;

/** Is a lock client of either driver. The calling thread waits for replies. */
public interface Locks extends AutoCloseable {
    /** Asks once, whatever the request says. */
    Optional<Held> tryAcquire(LockRequest request) throws InterruptedException;

    /** Asks as long as the request says. */
    Optional<Held> acquire(LockRequest request) throws InterruptedException;

    /** Asks in the name of an owner, who may hold the lock already. */
    Optional<Held> enter(Object owner, LockRequest request) throws InterruptedException;

    /** Begins to wait, on a thread of its own if this client's callers need one, and gives what ends the wait. */
    Runnable park(LockRequest request);

    @Override
    void close();
}
