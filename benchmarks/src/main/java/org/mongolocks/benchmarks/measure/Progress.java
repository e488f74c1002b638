package org.mongolocks.benchmarks.measure;

/** Is told what a comparison does. */
@FunctionalInterface
public interface Progress {
    /**
     * Tells that the next step begins.
     *
     * @param step its number, from 1
     * @param steps how many there are
     * @param what what happens in it
     */
    void begins(int step, int steps, String what);
}
