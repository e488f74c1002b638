package org.mongolocks.study.report;

import java.util.Optional;

/**
 * The place where the runs of a study took place.
 *
 * @param server the server on which real processes ran; empty for the simulation
 */
public record StudyEnvironment(Optional<String> server) {
    /**
     * Returns the simulation.
     *
     * @return the venue
     */
    public static StudyEnvironment simulation() {
        return new StudyEnvironment(Optional.empty());
    }

    /**
     * Returns a server with real processes.
     *
     * @param server a description of the server
     * @return the venue
     */
    public static StudyEnvironment realProcesses(String server) {
        return new StudyEnvironment(Optional.of(server));
    }

    /** Returns the venue as a part of a sentence. */
    String phrase() {
        return server.map(name -> "with real processes on " + name)
                .orElse("in a deterministic simulation with the engine of a MongoDB server");
    }

    /** Returns what the events of the runs are. */
    String events() {
        return server.isPresent() ? "events" : "simulated events";
    }

    /** Returns the kind of the times, as the suffix of a field's name. */
    String nanos() {
        return server.isPresent() ? "Nanos" : "VirtualNanos";
    }

    /** Returns the command that repeats a run; only in the simulation the seed determines the whole run. */
    String command(String scenario, String technique, long seed) {
        String cell = "--scenario " + scenario + " --technique " + technique;
        return server.isPresent() ? "./study --uri URI " + cell : "./study " + cell + " --seed " + seed;
    }
}
