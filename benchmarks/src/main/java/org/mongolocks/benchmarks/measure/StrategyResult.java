package org.mongolocks.benchmarks.measure;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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
     * @param crowds how threads shared a lock, for each number of waiters of {@link #CROWDS} that was measured; one more
     *     thread has the lock
     */
    record Measured(
            LockStrategy strategy,
            Latency acquireRelease,
            FloorRatio ratio,
            CommandCosts costs,
            long grantsWhileHeld,
            SortedMap<Integer, Contended> crowds)
            implements StrategyResult {
        /** How many wait, in the runs that tell what a grant costs. */
        public static final List<Integer> CROWDS = List.of(1, 8, 64);

        /** How many of them stand for contention where only one number is told. */
        public static final int CONTENDED = 8;

        public Measured {
            crowds = Collections.unmodifiableSortedMap(new TreeMap<>(crowds));
        }

        static Measured alone(LockStrategy strategy, Alone alone, CommandCosts costs, long grantsWhileHeld) {
            return new Measured(
                    strategy, alone.acquireRelease(), alone.ratio(), costs, grantsWhileHeld, new TreeMap<>());
        }

        Measured with(SortedMap<Integer, Contended> measured) {
            return new Measured(strategy, acquireRelease, ratio, costs, grantsWhileHeld, measured);
        }

        /** Gives how {@link #CONTENDED} waiters and a holder shared a lock, if that was measured. */
        public Optional<Contended> contended() {
            return Optional.ofNullable(crowds.get(CONTENDED));
        }

        /** Tells whether every number of waiters was measured. */
        public boolean hasAllCrowds() {
            return crowds.keySet().containsAll(CROWDS);
        }

        /** Gives the number of all violations of exclusion. */
        public long violations() {
            return grantsWhileHeld
                    + crowds.values().stream()
                            .mapToLong(crowd -> crowd.violations().total())
                            .sum();
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
