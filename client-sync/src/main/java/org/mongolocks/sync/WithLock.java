package org.mongolocks.sync;

import java.util.List;

/** The execution of work under locks, which are released in every case. */
final class WithLock {
    private WithLock() {}

    /**
     * The work.
     *
     * @param <E> the exceptions of the work
     */
    @FunctionalInterface
    interface Action<E extends Exception> {
        void run() throws E;
    }

    /** Releases every lock, also if that fails for one of them; throws the first loss. */
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

    /** Work aborted by a loss is reported as a loss. */
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
