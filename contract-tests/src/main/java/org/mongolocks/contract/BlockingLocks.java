package org.mongolocks.contract;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSetRequest;
import org.mongolocks.LockSnapshot;

/** Is a lock client on either driver, seen as a blocking one: each rule of the contract is written once, on this. */
public interface BlockingLocks extends AutoCloseable {
    /**
     * Asks, and waits as the request says.
     *
     * @param request what to acquire
     * @return the lock, or empty if another holds it
     * @throws InterruptedException if the thread was interrupted; on the reactive client that cancels the acquisition
     */
    Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException;

    /**
     * Asks for several locks, all or none, and waits as the request says.
     *
     * @param request what to acquire
     * @return the locks, or empty if another holds one of them
     * @throws InterruptedException if the thread was interrupted; on the reactive client that cancels the acquisition
     */
    default Optional<BlockingLockSet> acquireAll(LockSetRequest request) throws InterruptedException {
        throw new UnsupportedOperationException("This client acquires one lock at a time");
    }

    /**
     * Enters a lock in the name of an owner, and waits as the request says.
     *
     * @param owner in whose name
     * @param request what to acquire
     * @return a handle, or empty if another holds the lock
     * @throws InterruptedException if the thread was interrupted; on the reactive client that cancels the acquisition
     */
    default Optional<BlockingLock> enter(Object owner, LockRequest request) throws InterruptedException {
        throw new UnsupportedOperationException("This client knows no owners");
    }

    /**
     * Gives a lock that belongs to threads.
     *
     * @param request what to acquire
     * @return the lock; empty, as here, if the client has none
     */
    default Optional<Lock> asLock(LockRequest request) {
        return Optional.empty();
    }

    /**
     * Looks at a lock.
     *
     * @param name what is locked
     * @return what is stored
     * @throws InterruptedException if the thread was interrupted
     */
    Optional<LockSnapshot> inspect(LockName name) throws InterruptedException;

    /**
     * Lists locks.
     *
     * @param query which locks
     * @return a page of them
     * @throws InterruptedException if the thread was interrupted
     */
    LockPage list(LockQuery query) throws InterruptedException;

    /**
     * Forces a lock free.
     *
     * @param seen what was seen
     * @return false if it has changed since
     * @throws InterruptedException if the thread was interrupted
     */
    boolean forceRelease(LockSnapshot seen) throws InterruptedException;

    /** Closes the client, as {@code LockClient.close()} does. */
    @Override
    void close();

    /**
     * Asks once.
     *
     * @param name what to lock
     * @param ttl the length of the lease
     * @return the lock, or empty if another holds it
     * @throws InterruptedException if the thread was interrupted
     */
    default Optional<BlockingLock> tryAcquire(LockName name, Duration ttl) throws InterruptedException {
        return acquire(new LockRequest(name, ttl, Duration.ZERO));
    }
}
