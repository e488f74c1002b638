package org.mongolocks.study.sim;

import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;
import org.mongolocks.study.check.HandoverLimits;
import org.mongolocks.study.sim.time.ClockFault;
import org.mongolocks.study.sim.workload.LockUsage;
import org.mongolocks.study.sim.workload.Workload;
import org.mongolocks.study.technique.Technique;

/**
 * A row of the matrix: the actions of the clients, their environment, and the faults.
 *
 * @param name its name
 * @param about the fault, in a sentence
 * @param workload the actions of the clients
 * @param environment their environment
 * @param clocks the clock fault of each client
 * @param nemesis the faults of a run
 * @param manner how the clients use locks
 * @param bounds the additional bounds of the row
 */
public record Scenario(
        String name,
        String about,
        Workload workload,
        Environment environment,
        IntFunction<ClockFault> clocks,
        Function<RandomGenerator, Nemesis> nemesis,
        LockUsage manner,
        HandoverLimits bounds) {

    /**
     * Creates a row without bounds.
     *
     * @param name its name
     * @param about the fault, in a sentence
     * @param workload the actions of the clients
     * @param environment their environment
     * @param clocks the clock fault of each client
     * @param nemesis the faults of a run
     * @param manner how the clients use locks
     */
    public Scenario(
            String name,
            String about,
            Workload workload,
            Environment environment,
            IntFunction<ClockFault> clocks,
            Function<RandomGenerator, Nemesis> nemesis,
            LockUsage manner) {
        this(name, about, workload, environment, clocks, nemesis, manner, HandoverLimits.NONE);
    }

    /**
     * Creates a row in which all workers acquire the one lock.
     *
     * @param name its name
     * @param about the fault, in a sentence
     * @param workload the actions of the clients
     * @param environment their environment
     * @param clocks the clock fault of each client
     * @param nemesis the faults of a run
     */
    public Scenario(
            String name,
            String about,
            Workload workload,
            Environment environment,
            IntFunction<ClockFault> clocks,
            Function<RandomGenerator, Nemesis> nemesis) {
        this(name, about, workload, environment, clocks, nemesis, LockUsage.ALONE);
    }

    /**
     * Returns whether a technique has the features that the clients use.
     *
     * @param technique the technique
     * @return false if there is no such cell
     */
    public boolean isFor(Technique technique) {
        return manner.isForAll() || technique.habits().isShipped();
    }
}
