package org.mongolocks.contract.adapter;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.ExpiryWarningListener;
import org.mongolocks.Lease;
import org.mongolocks.LockLostListener;
import org.mongolocks.LossReason;

/**
 * A held lock of either client, as a blocking one; {@code HeldLock} and {@code ReactiveHeldLock} define what each
 * method means.
 */
public interface BlockingLock {
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
