package org.mongolocks.sync;

import java.util.List;

/** Does work under locks, and gives them back whatever happens. */
final class Work {
    private Work() {}

    /**
     * Is the work.
     *
     * @param <E> what it may throw
     */
    @FunctionalInterface
    interface Action<E extends Exception> {
        void run() throws E;
    }

    /** Every lock is given back, also if that fails for one of them; the first loss is told. */
    static <E extends Exception> void under(List<HeldLock> locks, Action<E> action) throws E {
        boolean done = false;
        try {
            brokenOffByLoss(locks, action);
            done = true;
        } finally {
            if (!done) {
                locks.forEach(HeldLock::close);
            }
        }
        OneByOne.run(locks, lock -> lock.endOfWork().finish());
    }

    /** What a loss has broken off is told as a loss. */
    private static <E extends Exception> void brokenOffByLoss(List<HeldLock> locks, Action<E> action) throws E {
        try {
            action.run();
        } catch (Exception e) {
            for (HeldLock lock : locks) {
                if (lock.endOfWork().clearInterrupt()) {
                    throw lock.endOfWork().loss(e);
                }
            }
            throw e;
        }
    }
}
