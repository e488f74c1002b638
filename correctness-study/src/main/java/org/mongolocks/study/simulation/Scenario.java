package org.mongolocks.study.simulation;

import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.random.RandomGenerator;

/**
 * Is a row of the matrix: what the clients do, where they live, and what goes wrong.
 *
 * @param name its name
 * @param about what goes wrong, in a sentence
 * @param workload what the clients do
 * @param environment where they live
 * @param clocks how wrong the clock of each client is
 * @param nemesis what goes wrong in a run
 */
public record Scenario(
        String name,
        String about,
        Workload workload,
        Environment environment,
        IntFunction<ClockFault> clocks,
        Function<RandomGenerator, Nemesis> nemesis) {}
