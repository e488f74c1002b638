package org.mongolocks.contract;

import java.util.List;
import org.mongolocks.LockName;
import org.mongolocks.LossListener;

/** Is several held locks of either client; see {@code HeldLocks} and {@code ReactiveHeldLocks} for the meaning of each. */
public interface BlockingLockSet {
    /**
     * Gives one of them.
     *
     * @param name which
     * @return the lock
     */
    BlockingLock get(LockName name);

    /**
     * Gives all of them.
     *
     * @return the locks, by the order of their names
     */
    List<BlockingLock> all();

    /**
     * Tells whether all are held.
     *
     * @return false once one was released or lost
     */
    boolean isHeld();

    /**
     * Has a listener told of each loss.
     *
     * @param listener whom to tell
     */
    void onLost(LossListener listener);

    /**
     * Gives all of them back.
     *
     * @return false if one was not held any more
     */
    boolean release();
}
