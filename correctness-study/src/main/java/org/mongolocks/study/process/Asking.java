package org.mongolocks.study.process;

import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.sync.HeldLock;

/** Waits for the lock until it is told to stop, and is interrupted only while it does. Thread-safe. */
final class Asking {
    private @Nullable Thread waiting;
    private boolean isOver;

    /** Asks for the lock, unless it is all over. */
    Optional<HeldLock> ask(Contender contender) throws InterruptedException {
        begin();
        try {
            return contender.acquire();
        } finally {
            end();
        }
    }

    synchronized void stop() {
        isOver = true;
        if (waiting != null) {
            waiting.interrupt();
        }
    }

    synchronized boolean isOver() {
        return isOver;
    }

    private synchronized void begin() throws InterruptedException {
        if (isOver) {
            throw new InterruptedException("It is all over");
        }
        waiting = Thread.currentThread();
    }

    /** Who got the lock goes on with it, however late the interrupt came. */
    private synchronized void end() {
        waiting = null;
        if (isOver) {
            Thread.interrupted();
        }
    }
}
