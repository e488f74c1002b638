package org.mongolocks.internal;

import java.util.Optional;
import org.mongolocks.spi.Step;

/**
 * Is an acquisition as a runner sees it, of one lock or of several: a program, and what to do when it is cut short. One
 * object serves one run.
 *
 * @param <R> what the program results in
 */
public interface Undertaking<R> {
    /**
     * Gives the program.
     *
     * @return a program that ends with an outcome, or fails when nothing is held
     */
    Step<R> start();

    /**
     * Tells whether the server may have stored something for a run that was cut short.
     *
     * @return true if {@link #takeBack()} is needed
     */
    boolean mayHold();

    /**
     * Gives the program that takes back whatever was stored.
     *
     * @return a program that ends with whether all of it was held, or fails when the server gave no answer
     */
    Step<Boolean> takeBack();

    /**
     * Tells whether something may be granted that could not be taken back while the caller waited.
     *
     * @return true if {@link #takeBack()} is to be run once more, when nobody waits for it
     */
    default boolean isOwing() {
        return false;
    }

    /**
     * Limits the commands of this run, so that it ends in time.
     *
     * @return the limit; empty, as here, for the client's own
     */
    default Optional<CommandLimit> limit() {
        return Optional.empty();
    }

    /** Ends the acquisition, however its run ended: the next in line is called. It is harmless to end it again. */
    void end();
}
