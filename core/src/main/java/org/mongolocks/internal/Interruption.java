package org.mongolocks.internal;

import org.jspecify.annotations.Nullable;

/** Interrupts, at most once, the thread that asked for it. Not thread-safe: its hold has the monitor. */
final class Interruption {
    private @Nullable Thread worker;
    private @Nullable Thread interrupted;

    void ask(Thread thread) {
        worker = thread;
    }

    void withdraw() {
        worker = null;
    }

    /** The thread that finds the loss knows it already. */
    void comeUnlessFoundByItself() {
        if (worker != Thread.currentThread()) {
            come();
        }
    }

    void come() {
        if (worker != null) {
            interrupted = worker;
            worker.interrupt();
        }
    }

    boolean hasHit(Thread thread) {
        return interrupted == thread;
    }
}
