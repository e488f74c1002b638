package org.mongolocks.internal.run;

import java.util.Optional;
import org.mongolocks.spi.Step;

/**
 * The program of one {@link Run}, for example an acquisition: with its compensation when it is aborted, and the limit of its
 * commands. One object serves one run.
 *
 * @param <R> the result
 */
@FunctionalInterface
public interface CompensatedProgram<R> {
    /** Returns a program that ends with an outcome, or fails when nothing is held. */
    Step<R> start();

    /**
     * Returns whether the server may have stored something for a run that was aborted, so that {@link #compensate()} is
     * needed.
     */
    default boolean needsCompensation() {
        return false;
    }

    /**
     * Returns a program that releases whatever was stored, and ends with whether all of it was held; it fails when the
     * server gave no reply.
     */
    default Step<Boolean> compensate() {
        return Step.done(false);
    }

    /**
     * Returns the repeated release of a grant that may exist and could not be released while the caller waited. It must
     * be run in the session of the acquisition, after the call has ended.
     */
    default Optional<PendingCompensation> pendingCompensation() {
        return Optional.empty();
    }

    /** Returns the limit of the commands of this run, so that it ends in time; empty, as here, for the client's own. */
    default Optional<TimeBudget> limit() {
        return Optional.empty();
    }

    /** Ends the run, whatever its result: the next waiter is notified. Further calls have no effect. */
    default void close() {}
}
