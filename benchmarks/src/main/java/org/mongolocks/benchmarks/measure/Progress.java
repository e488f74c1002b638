package org.mongolocks.benchmarks.measure;

/** A listener for the progress of a comparison. */
@FunctionalInterface
public interface Progress {
    /**
     * Notifies that the next step begins.
     *
     * @param step the number of the step, from 1
     * @param steps the number of steps
     * @param what a description of the step
     */
    void begins(int step, int steps, String what);
}
