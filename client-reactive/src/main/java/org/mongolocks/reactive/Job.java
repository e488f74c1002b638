package org.mongolocks.reactive;

import java.util.Optional;
import org.mongolocks.internal.CommandLimit;
import org.mongolocks.spi.Step;

/**
 * Is what one subscription has done: a program, and what to do when the subscriber cancels.
 *
 * @param <R> what the program results in
 */
interface Job<R> {
    /** Returns the program. */
    Step<R> start();

    /** Returns whether a cancelled program stops before its next operation; it goes on to its end otherwise. */
    default boolean stopsWhenCancelled() {
        return true;
    }

    /** Returns the program that takes back what a cancelled or broken run has done, if there is anything. */
    default Optional<Step<Boolean>> takeBack() {
        return Optional.empty();
    }

    /** Returns the program that takes back later, when nobody waits for it, what could not be taken back in time. */
    default Optional<Step<Boolean>> owed() {
        return Optional.empty();
    }

    /** Returns the limit for the commands of the run; empty for the client's own. */
    default Optional<CommandLimit> limit() {
        return Optional.empty();
    }

    /** Is told that the run has ended, however that was. */
    default void ended() {}
}
