package org.mongolocks.internal;

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
     * Tells whether the server may have granted something in a run that was cut short.
     *
     * @return true if {@link #takeBack()} is needed
     */
    boolean mayHold();

    /**
     * Gives the program that releases whatever was granted.
     *
     * @return a program that ends with whether all of it was held, or fails when the server gave no answer
     */
    Step<Boolean> takeBack();

    /** Ends the acquisition, however its run ended: the next in line is called. It is harmless to end it again. */
    void end();
}
