package org.mongolocks.study.simulation;

import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.mongolocks.study.check.Bounds;
import org.mongolocks.study.technique.Technique;

/**
 * Is a row of the matrix: what the clients do, where they live, and what goes wrong.
 *
 * @param name its name
 * @param about what goes wrong, in a sentence
 * @param workload what the clients do
 * @param environment where they live
 * @param clocks how wrong the clock of each client is
 * @param nemesis what goes wrong in a run
 * @param manner how the clients use locks
 * @param bounds what the row bounds besides
 */
public record Scenario(
        String name,
        String about,
        Workload workload,
        Environment environment,
        IntFunction<ClockFault> clocks,
        Function<RandomGenerator, Nemesis> nemesis,
        Manner manner,
        Bounds bounds) {

    /**
     * Sets no bounds.
     *
     * @param name its name
     * @param about what goes wrong, in a sentence
     * @param workload what the clients do
     * @param environment where they live
     * @param clocks how wrong the clock of each client is
     * @param nemesis what goes wrong in a run
     * @param manner how the clients use locks
     */
    public Scenario(
            String name,
            String about,
            Workload workload,
            Environment environment,
            IntFunction<ClockFault> clocks,
            Function<RandomGenerator, Nemesis> nemesis,
            Manner manner) {
        this(name, about, workload, environment, clocks, nemesis, manner, Bounds.NONE);
    }

    /**
     * Is one in which everybody asks for the one lock.
     *
     * @param name its name
     * @param about what goes wrong, in a sentence
     * @param workload what the clients do
     * @param environment where they live
     * @param clocks how wrong the clock of each client is
     * @param nemesis what goes wrong in a run
     */
    public Scenario(
            String name,
            String about,
            Workload workload,
            Environment environment,
            IntFunction<ClockFault> clocks,
            Function<RandomGenerator, Nemesis> nemesis) {
        this(name, about, workload, environment, clocks, nemesis, Manner.ALONE);
    }

    /**
     * Tells whether a technique has what the clients use.
     *
     * @param technique the technique
     * @return false if there is no such cell
     */
    public boolean isFor(Technique technique) {
        return manner.isForAll() || technique.habits().isShipped();
    }
}
