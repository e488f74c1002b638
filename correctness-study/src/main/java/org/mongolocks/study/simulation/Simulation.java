package org.mongolocks.study.simulation;

import org.mongolocks.study.technique.Technique;

/** Runs scenarios. The same scenario, technique and seed give the same history, byte for byte. */
public final class Simulation {
    private Simulation() {}

    /**
     * Runs a scenario once.
     *
     * @param scenario what goes wrong
     * @param technique how it is locked
     * @param seed where all chance comes from
     * @return what came of it
     */
    public static Outcome run(Scenario scenario, Technique technique, long seed) {
        return new World(scenario, technique, new Chance(seed)).run();
    }
}
