package org.mongolocks.contract.adapter;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.MultiLockRequest;

/** A lock client on either driver, with blocking methods, so that each rule of the contract is written once. */
public interface BlockingLocks extends AutoCloseable {
    /**
     * Acquires a lock, and waits as the request says.
     *
     * @param request the request
     * @return the lock, or empty if another holds it
     * @throws InterruptedException if the thread was interrupted; on the reactive client that cancels the acquisition
     */
    Optional<BlockingLock> acquire(LockRequest request) throws InterruptedException;

    /**
     * Acquires several locks, all or none, and waits as the request says.
     *
     * @param request the request
     * @return the locks, or empty if another holds one of them
     * @throws InterruptedException if the thread was interrupted; on the reactive client that cancels the acquisition
     */
    default Optional<BlockingLockSet> acquireAll(MultiLockRequest request) throws InterruptedException {
        throw new UnsupportedOperationException("This client acquires one lock at a time");
    }

    /**
     * Acquires a lock for an owner, reentrantly, and waits as the request says.
     *
     * @param owner the owner
     * @param request the request
     * @return a handle, or empty if another holds the lock
     * @throws InterruptedException if the thread was interrupted; on the reactive client that cancels the acquisition
     */
    default Optional<BlockingLock> enter(Object owner, LockRequest request) throws InterruptedException {
        throw new UnsupportedOperationException("This client has no reentrant locks");
    }

    /**
     * Returns a lock that belongs to the thread that locks it.
     *
     * @param request the request
     * @return the lock; empty by default, for a client that has none
     */
    default Optional<Lock> asLock(LockRequest request) {
        return Optional.empty();
    }

    /**
     * Reads the stored state of a lock.
     *
     * @param name the name of the lock
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
     * Force-releases a lock.
     *
     * @param seen the snapshot on which the decision is based
     * @return false if the lock has changed since
     * @throws InterruptedException if the thread was interrupted
     */
    boolean forceRelease(LockSnapshot seen) throws InterruptedException;

    /** Closes the client, as {@code LockClient.close()} does. */
    @Override
    void close();

    /**
     * Makes one attempt to acquire a lock.
     *
     * @param name the name of the lock
     * @param ttl the length of the lease
     * @return the lock, or empty if another holds it
     * @throws InterruptedException if the thread was interrupted
     */
    default Optional<BlockingLock> tryAcquire(LockName name, Duration ttl) throws InterruptedException {
        return acquire(new LockRequest(name, ttl, Duration.ZERO));
    }
}
