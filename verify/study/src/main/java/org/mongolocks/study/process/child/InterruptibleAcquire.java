package org.mongolocks.study.process.child;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;

/** An acquisition that waits until the run ends, and is interrupted only while it waits. Thread-safe. */
final class InterruptibleAcquire {
    private @Nullable Thread waiting;
    private boolean isOver;

    /** Acquires the lock, unless the run has ended. */
    Optional<BlockingLock> ask(HeldLockMonitor.Asking asking) throws InterruptedException {
        begin();
        try {
            return asking.ask();
        } finally {
            end();
        }
    }

    /** Begins no more acquisitions. */
    synchronized void stop() {
        isOver = true;
    }

    /** Ends the acquisition in progress, if there is one. */
    synchronized void interrupt() {
        if (waiting != null) {
            waiting.interrupt();
        }
    }

    synchronized boolean isOver() {
        return isOver;
    }

    private synchronized void begin() throws InterruptedException {
        if (isOver) {
            throw new InterruptedException("The run has ended");
        }
        waiting = Thread.currentThread();
    }

    /** Clears a late interrupt, so that an acquired lock is used normally. */
    private synchronized void end() {
        waiting = null;
        if (isOver) {
            Thread.interrupted();
        }
    }
}
