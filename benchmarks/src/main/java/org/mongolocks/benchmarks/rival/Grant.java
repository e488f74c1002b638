package org.mongolocks.benchmarks.rival;

import java.util.OptionalLong;

/** Is a lock that was granted. */
public interface Grant {
    /** Gives the fencing token, if the lock has one. */
    OptionalLong fencingToken();

    /**
     * Gives the lock back, on the thread that got it.
     *
     * @return false if it is known to have been lost
     */
    boolean release();

    /**
     * Makes a grant that cannot tell whether it was lost.
     *
     * @param fencingToken its token, if it has one
     * @param release gives it back
     */
    static Grant of(OptionalLong fencingToken, Runnable release) {
        return new Grant() {
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
