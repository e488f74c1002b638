package org.mongolocks.benchmarks.lock;

import java.util.OptionalLong;

/** An acquired lock. */
public interface AcquiredLock {
    /** Returns the fencing token, if the lock has one. */
    OptionalLong fencingToken();

    /**
     * Releases the lock. Called on the thread that acquired it.
     *
     * @return false if the lock is known to have been lost
     */
    boolean release();

    /**
     * Returns a grant for a lock that cannot detect its loss.
     *
     * @param fencingToken its fencing token, if it has one
     * @param release releases the lock
     */
    static AcquiredLock of(OptionalLong fencingToken, Runnable release) {
        return new AcquiredLock() {
            @Override
            public OptionalLong fencingToken() {
                return fencingToken;
            }

            @Override
            public boolean release() {
                release.run();
                return true;
            }
        };
    }
}
