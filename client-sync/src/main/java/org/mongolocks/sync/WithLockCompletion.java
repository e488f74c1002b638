package org.mongolocks.sync;

import static java.lang.System.Logger.Level.WARNING;

import org.mongolocks.internal.hold.Hold;

/** The end of work that a lock guarded, on the thread of the work. */
record WithLockCompletion(HeldLock lock, Hold hold) {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    /**
     * Releases the lock; reports an earlier loss, but only logs a failed release, because the work was done in time.
     */
    void finish() {
        boolean held;
        try {
            held = lock.release();
        } catch (RuntimeException e) {
            LOG.log(WARNING, lock + " could not be released after the work; it is held until its ttl has passed: " + e);
            return;
        }
        if (!held && hold.loss().isPresent()) {
            clearInterrupt();
            throw hold.lossException(null);
        }
    }

    /** Clears the interrupt that the loss sent to this thread; true if there was one. */
    boolean clearInterrupt() {
        boolean mine = hold.hasInterrupted(Thread.currentThread());
        if (mine) {
            Thread.interrupted();
        }
        return mine;
    }
}
