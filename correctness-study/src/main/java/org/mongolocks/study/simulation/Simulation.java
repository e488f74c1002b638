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

    /**
     * Runs a scenario once, and writes the commands down. The history is the same as without.
     *
     * @param scenario what goes wrong
     * @param technique how it is locked
     * @param seed where all chance comes from
     * @return what came of it, and what was sent
     */
    public static Traced trace(Scenario scenario, Technique technique, long seed) {
        World world = new World(scenario, technique, new Chance(seed));
        CommandLog log = new CommandLog(world::nowNanos);
        Outcome outcome = world.heardBy(log).run();
        return new Traced(outcome, log.commands());
    }
}
