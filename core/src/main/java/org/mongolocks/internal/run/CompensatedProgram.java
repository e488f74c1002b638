package org.mongolocks.internal.run;

import java.util.Optional;
import org.mongolocks.spi.Step;

/**
 * An acquisition of one or several locks as a runner sees it: a program, and its compensation when it is aborted. One
 * object serves one run.
 *
 * @param <R> the result of the program
 */
public interface CompensatedProgram<R> {
    /**
     * Returns the program.
     *
     * @return a program that ends with an outcome, or fails when nothing is held
     */
    Step<R> start();

    /**
     * Returns whether the server may have stored something for a run that was aborted.
     *
     * @return true if {@link #compensate()} is needed
     */
    boolean needsCompensation();

    /**
     * Returns the program that releases whatever was stored.
     *
     * @return a program that ends with whether all of it was held, or fails when the server gave no reply
     */
    Step<Boolean> compensate();

    /**
     * Returns whether a grant may exist that could not be released while the caller waited.
     *
     * @return true if {@link #compensate()} must be run again, without a caller that waits
     */
    default boolean hasPendingCompensation() {
        return false;
    }

    /**
     * Returns the limit of the commands of this run, so that it ends in time.
     *
     * @return the limit; empty, as here, for the client's own
     */
    default Optional<TimeBudget> limit() {
        return Optional.empty();
    }

    /** Ends the acquisition, whatever its result: the next waiter is notified. Further calls have no effect. */
    void close();
}
