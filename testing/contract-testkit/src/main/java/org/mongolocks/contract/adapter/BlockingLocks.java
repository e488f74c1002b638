package org.mongolocks.contract.adapter;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import org.mongolocks.ClientStatus;
import org.mongolocks.ExpiryWarningListener;
import org.mongolocks.Lease;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.contract.setup.GuardedDocument.TransactionBody;

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
     * Acquires a lock, and waits as the request says.
     *
     * @param request the request
     * @return the lock
     * @throws InterruptedException if the thread was interrupted; on the reactive client that cancels the acquisition
     */
    default BlockingLock acquireOrThrow(LockRequest request) throws InterruptedException {
        throw new UnsupportedOperationException("This client reports contention as an empty result");
    }

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

    /**
     * Returns the state of the client, without a round trip.
     *
     * @return the state
     */
    default ClientStatus status() {
        throw new UnsupportedOperationException("This client shows no state");
    }

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

    /**
     * A held lock of either client, as a blocking one; {@code HeldLock} and {@code ReactiveHeldLock} define what each
     * method means.
     */
    interface BlockingLock {
        /**
         * Returns the newest lease.
         *
         * @return the lease
         */
        Lease lease();

        /**
         * Returns whether the lock is held, by the client's clock.
         *
         * @return false once it was released or lost
         */
        boolean isHeld();

        /**
         * Returns how much of the lease remains.
         *
         * @return the remaining time
         */
        Duration remaining();

        /**
         * Returns why the lock was lost.
         *
         * @return the reason, if a loss was detected
         */
        Optional<LossReason> loss();

        /**
         * Registers a listener for the loss of the lock.
         *
         * @param listener the listener
         */
        void onLost(LockLostListener listener);

        /**
         * Registers a listener that is notified before the end of the lease.
         *
         * @param remaining how long before the end
         * @param listener the listener
         */
        void onEndangered(Duration remaining, ExpiryWarningListener listener);

        /**
         * Renews the lease.
         *
         * @return false if the lock is lost
         * @throws InterruptedException if the thread was interrupted
         */
        boolean renew() throws InterruptedException;

        /**
         * Renews the lease for a time of its own.
         *
         * @param ttl how long it lasts at least
         * @return false if the lock is lost
         * @throws InterruptedException if the thread was interrupted
         */
        boolean renew(Duration ttl) throws InterruptedException;

        /**
         * Releases the lock.
         *
         * @return false if it was no longer held
         */
        boolean release();

        /**
         * Runs work in a guarded transaction.
         *
         * @param body the work
         * @throws Exception any exception of the work or the client
         */
        void inTransaction(TransactionBody body) throws Exception;

        /**
         * Returns the fencing token.
         *
         * @return the token
         */
        default long fencingToken() {
            return lease().fencingToken();
        }
    }

    /**
     * Several held locks of either client, as a blocking set; {@code HeldLocks} and {@code ReactiveHeldLocks} define what
     * each method means.
     */
    interface BlockingLockSet {
        /**
         * Returns one of the locks.
         *
         * @param name its name
         * @return the lock
         */
        BlockingLock get(LockName name);

        /**
         * Returns all locks.
         *
         * @return the locks, in the order of their names
         */
        List<BlockingLock> all();

        /**
         * Returns whether all locks are held.
         *
         * @return false once one was released or lost
         */
        boolean isHeld();

        /**
         * Registers a listener for each loss.
         *
         * @param listener the listener
         */
        void onLost(LockLostListener listener);

        /**
         * Releases all locks.
         *
         * @return false if one was no longer held
         */
        boolean release();
    }
}
