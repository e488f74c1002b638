package org.mongolocks.study.report;

import java.util.Optional;

/**
 * Says where the runs of a study took place.
 *
 * @param server the server on which real processes ran; empty for the simulation
 */
public record Venue(Optional<String> server) {
    /**
     * Is the simulation.
     *
     * @return the venue
     */
    public static Venue simulation() {
        return new Venue(Optional.empty());
    }

    /**
     * Is a server with real processes.
     *
     * @param server which server, for people
     * @return the venue
     */
    public static Venue realProcesses(String server) {
        return new Venue(Optional.of(server));
    }

    /** Says it as a part of a sentence. */
    String phrase() {
        return server.map(name -> "with real processes on " + name)
                .orElse("in a deterministic simulation with the engine of a MongoDB server");
    }

    /** Says what the events of the runs are. */
    String events() {
        return server.isPresent() ? "events" : "simulated events";
    }

    /** Says what times are: a name of a field ends with it. */
    String nanos() {
        return server.isPresent() ? "Nanos" : "VirtualNanos";
    }

    /** Says what to do to see a run again; the seed decides everything in the simulation alone. */
    String command(String scenario, String technique, long seed) {
        String cell = "--scenario " + scenario + " --technique " + technique;
        return server.isPresent() ? "./study --uri URI " + cell : "./study " + cell + " --seed " + seed;
    }
}
