package org.mongolocks.benchmarks.result;

import java.util.List;
import java.util.Locale;

/**
 * Is who is measured, with the properties that its figures must be seen with.
 *
 * @param id the name for programs
 * @param kind what it is
 * @param title the name for people
 * @param properties what it promises
 * @param traits what a strategy says it gives and needs, by the names of the traits; nothing for others
 * @param verdict what became of it
 */
public record Contender(
        String id, Kind kind, String title, Properties properties, List<String> traits, Verdict verdict) {
    public Contender {
        traits = List.copyOf(traits);
    }

    /** Is what a contender is. */
    public enum Kind {
        /** A strategy of this library. */
        STRATEGY,
        /** Raw commands that no lock of its kind can be faster than. */
        FLOOR,
        /** Another library. */
        PEER;

        /** Gives the name for programs. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Is what a contender promises, each in a few words for people.
     *
     * @param durability what is safe when a grant is told
     * @param fencing whether each grant has a number that grows
     * @param ownerCheck whether only the owner can release
     * @param clock whose clock tells that a lease has ended
     * @param waiting how a waiter learns that the lock is free
     * @param retrySafe whether an operation can be repeated when its reply was lost
     */
    public record Properties(
            String durability, String fencing, String ownerCheck, String clock, String waiting, String retrySafe) {
        private static final String NONE = "none";

        /** Gives what raw commands promise: that they are written, and nothing else. */
        public static Properties ofFloor(String durability) {
            return new Properties(durability, NONE, NONE, NONE, NONE, NONE);
        }
    }

    /** Gives a contender that takes part. */
    public static Contender of(String id, Kind kind, String title, Properties properties) {
        return new Contender(id, kind, title, properties, List.of(), Verdict.MEASURED);
    }

    /** Gives the same with the traits of a strategy. */
    public Contender with(List<String> ofStrategy) {
        return new Contender(id, kind, title, properties, ofStrategy, verdict);
    }

    /** Gives the same with another verdict. */
    public Contender with(Verdict other) {
        return new Contender(id, kind, title, properties, traits, other);
    }
}
