package org.mongolocks.contract.adapter;

import java.util.List;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockName;

/**
 * Several held locks of either client, as a blocking set; {@code HeldLocks} and {@code ReactiveHeldLocks} define what
 * each method means.
 */
public interface BlockingLockSet {
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
