package org.mongolocks.sync;

import static java.lang.System.Logger.Level.WARNING;

import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LossReason;
import org.mongolocks.internal.Hold;

/** Is work on this thread that a lock guards; the lock is given back whatever happens. */
record LockedWork(HeldLock lock, Hold hold) {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    /** Does the work; a loss before its end is told, and a fault does not hide from its author that it was done in time. */
    <E extends Exception> void run(LockedAction<E> action) throws E {
        boolean done = false;
        try {
            brokenOffByLoss(action);
            done = true;
        } finally {
            if (!done) {
                lock.close();
            }
        }
        finish();
    }

    /** What a loss has broken off is told as a loss. */
    private <E extends Exception> void brokenOffByLoss(LockedAction<E> action) throws E {
        try {
            action.run(lock);
        } catch (Exception e) {
            if (clearInterrupt()) {
                throw loss(e);
            }
            throw e;
        }
    }

    private void finish() {
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
        LOG.log(WARNING, lock + " could not be given back after the work; it stays until its ttl has passed", e);
    }

    /** Takes back the interrupt of this thread by the loss; true if there was one. */
    private boolean clearInterrupt() {
        boolean mine = hold.hasInterrupted(Thread.currentThread());
        if (mine) {
            Thread.interrupted();
        }
        return mine;
    }

    private LockLostException loss(@Nullable Throwable cause) {
        return new LockLostException(hold.lease().name(), hold.loss().orElse(LossReason.EXPIRED), cause);
    }
}
