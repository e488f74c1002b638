package org.mongolocks.study.sim;

import org.mongolocks.study.sim.net.CommandLog;
import org.mongolocks.study.sim.time.SeededRandom;
import org.mongolocks.study.technique.Technique;

/** Runs scenarios. The same scenario, technique and seed give the same history, byte for byte. */
public final class Simulation {
    private Simulation() {}

    /**
     * Runs a scenario once.
     *
     * @param scenario the scenario
     * @param technique the technique
     * @param seed the seed of all randomness
     * @return the outcome
     */
    public static Outcome run(Scenario scenario, Technique technique, long seed) {
        return new SimulationRun(scenario, technique, new SeededRandom(seed)).run();
    }

    /**
     * Runs a scenario once, and records the commands. The history is the same as without.
     *
     * @param scenario the scenario
     * @param technique the technique
     * @param seed the seed of all randomness
     * @return the outcome, with the commands
     */
    public static Traced trace(Scenario scenario, Technique technique, long seed) {
        SimulationRun world = new SimulationRun(scenario, technique, new SeededRandom(seed));
        CommandLog log = new CommandLog(world::nowNanos);
        Outcome outcome = world.withTrace(log).run();
        return new Traced(outcome, log.commands());
    }
}
