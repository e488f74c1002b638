package org.mongolocks.blocking;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.BiConsumer;
import org.bson.Document;
import org.mongolocks.ClientStatus;
import org.mongolocks.Lease;
import org.mongolocks.LockEndangeredListener;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockName;
import org.mongolocks.LockPage;
import org.mongolocks.LockQuery;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.MultiLockRequest;

/**
 * A lock client on either driver, with blocking methods. {@code LockClient} and {@code ReactiveLockClient} define what
 * each method means; an interrupt of a waiting thread cancels the subscription. It adds to the calls of the client one
 * handle for each held lock, and no thread except for the work of a reactive transaction: benchmarks measure through it.
 */
public interface BlockingLocks extends AutoCloseable {
    Optional<BlockingLock> tryAcquire(LockRequest request) throws InterruptedException;

    /** Makes one attempt, for a fixed lease. */
    default Optional<BlockingLock> tryAcquire(LockName name, Duration ttl) throws InterruptedException {
        return tryAcquire(LockRequest.of(name, ttl).fixedLease());
    }

    BlockingLock acquire(LockRequest request) throws InterruptedException;

    Optional<BlockingLockSet> tryAcquireAll(MultiLockRequest request) throws InterruptedException;

    /** Acquires reentrantly: the owner may hold the lock already. */
    Optional<BlockingLock> enter(Object owner, LockRequest request) throws InterruptedException;

    /** Returns a lock that belongs to the thread that locks it; empty by default, for a client that has none. */
    default Optional<Lock> asLock(LockRequest request) {
        return Optional.empty();
    }

    Optional<LockSnapshot> inspect(LockName name) throws InterruptedException;

    LockPage list(LockQuery query) throws InterruptedException;

    boolean forceRelease(LockSnapshot seen) throws InterruptedException;

    ClientStatus status();

    /** Closes the lock client at once, unless it was built with another time for that; not that of the driver. */
    @Override
    void close();

    /** A held lock; {@code HeldLock} and {@code ReactiveHeldLock} define what each method means. */
    interface BlockingLock {
        Lease lease();

        boolean isHeld();

        Duration remaining();

        Optional<LossReason> loss();

        void onLost(LockLostListener listener);

        void onEndangered(Duration remaining, LockEndangeredListener listener);

        boolean renew() throws InterruptedException;

        boolean renew(Duration ttl) throws InterruptedException;

        boolean release();

        void inTransaction(TransactionWork work) throws Exception;

        default long fencingToken() {
            return lease().fencingToken();
        }
    }

    /** The work of a guarded transaction. It may block. */
    @FunctionalInterface
    interface TransactionWork {
        /**
         * Does the work.
         *
         * @param insert inserts a document into a collection, in the transaction
         */
        void run(BiConsumer<String, Document> insert) throws Exception;
    }

    /** Several held locks; {@code HeldLocks} and {@code ReactiveHeldLocks} define what each method means. */
    interface BlockingLockSet {
        BlockingLock get(LockName name);

        List<BlockingLock> all();

        boolean isHeld();

        void onLost(LockLostListener listener);

        boolean release();
    }
}
