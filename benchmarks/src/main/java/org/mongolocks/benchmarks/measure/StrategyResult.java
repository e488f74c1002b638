package org.mongolocks.benchmarks.measure;

import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Trait;

/** Is what a comparison found out about one strategy. */
public sealed interface StrategyResult {
    /** Gives the strategy. */
    LockStrategy strategy();

    /** Gives the name of the strategy. */
    default String name() {
        return strategy().name();
    }

    /** Gives the traits of the strategy. */
    default Set<Trait> traits() {
        return strategy().traits();
    }

    /**
     * The strategy was measured.
     *
     * @param strategy the strategy
     * @param acquireRelease how long it took to acquire and release a lock that nobody else wanted
     * @param ratio the same against the floor
     * @param costs the commands of each operation
     * @param grantsWhileHeld how often a lock was granted while another held it, when the commands were counted
     * @param contended how threads shared a lock
     * @param crowds the same for each number of waiters of {@link #CROWDS}, one more thread having the lock
     */
    record Measured(
            LockStrategy strategy,
            Latency acquireRelease,
            FloorRatio ratio,
            CommandCosts costs,
            long grantsWhileHeld,
            Contended contended,
            SortedMap<Integer, Contended> crowds)
            implements StrategyResult {
        /** How many wait, in the runs that tell what a grant costs. */
        public static final List<Integer> CROWDS = List.of(1, 8, 64);

        public Measured {
            crowds = Collections.unmodifiableSortedMap(new TreeMap<>(crowds));
        }

        /** Gives the number of all violations of exclusion. */
        public long violations() {
            return grantsWhileHeld
                    + runs().mapToLong(run -> run.violations().total()).sum();
        }

        /** Gives what went wrong in all runs with several threads. */
        public List<String> errors() {
            return runs().flatMap(run -> run.errors().stream()).toList();
        }

        private Stream<Contended> runs() {
            return Stream.concat(Stream.of(contended), crowds.values().stream());
        }
    }

    /**
     * The strategy was not measured to the end.
     *
     * @param strategy the strategy
     * @param why in a word
     * @param reason in a sentence
     */
    record Unmeasured(LockStrategy strategy, Why why, String reason) implements StrategyResult {}

    /** Is why a strategy was not measured. */
    enum Why {
        /** The server is a standalone. */
        NEEDS_REPLICA_SET("needs a replica set"),
        /** The server lacks something else. */
        UNSUPPORTED("not supported by this server"),
        /** The strategy failed. */
        FAILED("failed");

        private final String phrase;

        Why(String phrase) {
            this.phrase = phrase;
        }

        /** Gives the name for people. */
        public String phrase() {
            return phrase;
        }

        /** Gives the name for programs. */
        public String id() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }
}
