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
}
