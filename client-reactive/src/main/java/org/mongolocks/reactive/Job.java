package org.mongolocks.reactive;

import java.util.Optional;
import org.mongolocks.spi.Step;

/**
 * Is what one subscription has done: a program, and what to do when the subscriber cancels.
 *
 * @param <R> what the program results in
 */
interface Job<R> {
    /** Gives the program. */
    Step<R> start();

    /** Tells whether a cancelled program stops before its next operation; it goes on to its end otherwise. */
    default boolean stopsWhenCancelled() {
        return true;
    }

    /** Gives the program that takes back what a cancelled or broken run has done, if there is anything. */
    default Optional<Step<Boolean>> takeBack() {
        return Optional.empty();
    }

    /** Is told that the run has ended, however that was. */
    default void ended() {}
}
