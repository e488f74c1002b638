package org.mongolocks.reactive;

import java.util.Optional;
import org.mongolocks.internal.run.TimeBudget;
import org.mongolocks.spi.Step;

/**
 * The program of one subscription, and its behaviour when the subscriber cancels.
 *
 * @param <R> the result of the program
 */
interface SubscriberProgram<R> {
    /** Returns the program. */
    Step<R> start();

    /** Returns whether a cancelled program stops before its next operation; otherwise it runs to its end. */
    default boolean stopsWhenCancelled() {
        return true;
    }

    /** Returns the program that compensates a cancelled or failed run, if needed. */
    default Optional<Step<Boolean>> compensate() {
        return Optional.empty();
    }

    /** Returns the pending compensation, which runs later without a waiting subscriber, if it could not run in time. */
    default Optional<Step<Boolean>> pendingCompensation() {
        return Optional.empty();
    }

    /** Returns the limit for the commands of the run; empty for the client's own. */
    default Optional<TimeBudget> limit() {
        return Optional.empty();
    }

    /** Handles the end of the run, whatever its result. */
    default void ended() {}
}
