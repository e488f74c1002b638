package org.mongolocks.contract;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.EndangeredListener;
import org.mongolocks.Lease;
import org.mongolocks.LossListener;
import org.mongolocks.LossReason;

/** Is a held lock of either client; see {@code HeldLock} and {@code ReactiveHeldLock} for what each method means. */
public interface BlockingLock {
    /**
     * Gives the newest lease.
     *
     * @return the lease
     */
    Lease lease();

    /**
     * Tells whether the lock is held, by the client's time.
     *
     * @return false once it was released or lost
     */
    boolean isHeld();

    /**
     * Tells how much of the lease is left.
     *
     * @return the time left
     */
    Duration remaining();

    /**
     * Tells why the lock was lost.
     *
     * @return the reason, if a loss is known
     */
    Optional<LossReason> loss();

    /**
     * Has a listener told of the loss.
     *
     * @param listener whom to tell
     */
    void onLost(LossListener listener);

    /**
     * Has a listener warned before the end of the lease.
     *
     * @param remaining how near the end must be
     * @param listener whom to warn
     */
    void onEndangered(Duration remaining, EndangeredListener listener);

    /**
     * Renews the lease.
     *
     * @return false if the lock is lost
     * @throws InterruptedException if the thread was interrupted
     */
    boolean renew() throws InterruptedException;

    /**
     * Gives the lock back.
     *
     * @return false if it was not held any more
     */
    boolean release();

    /**
     * Does work in a guarded transaction.
     *
     * @param body the work
     * @throws Exception what the work or the client fails with
     */
    void inTransaction(GuardedBody body) throws Exception;

    /**
     * Gives the fencing token.
     *
     * @return the token
     */
    default long fencingToken() {
        return lease().fencingToken();
    }
}
