package org.mongolocks.sync;

import static java.lang.System.Logger.Level.WARNING;

import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LossReason;
import org.mongolocks.internal.hold.Hold;

/** The end of work that a lock guarded, on the thread of the work. */
record WithLockCompletion(HeldLock lock, Hold hold) {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    /**
     * Releases the lock; reports an earlier loss, but only logs a failed release, because the work was done in time.
     */
    void finish() {
        boolean inTime = !hold.remaining().isZero();
        boolean held;
        try {
            held = lock.release();
        } catch (LockException e) {
            reportUnlessLate(inTime, e);
            return;
        }
        if (!held && hold.loss().isPresent()) {
            clearInterrupt();
            throw loss(null);
        }
    }

    private void reportUnlessLate(boolean inTime, LockException e) {
        if (!inTime) {
            clearInterrupt();
            LockLostException lost = loss(null);
            lost.addSuppressed(e);
            throw lost;
        }
        LOG.log(WARNING, lock + " could not be released after the work; it stays held until its ttl has passed", e);
    }

    /** Clears the interrupt that the loss sent to this thread; true if there was one. */
    boolean clearInterrupt() {
        boolean mine = hold.interruption().hasInterrupted(Thread.currentThread());
        if (mine) {
            Thread.interrupted();
        }
        return mine;
    }

    LockLostException loss(@Nullable Throwable cause) {
        return new LockLostException(hold.lease().name(), hold.loss().orElse(LossReason.EXPIRED), cause);
    }
}
