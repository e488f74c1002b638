package org.mongolocks.benchmarks.measure;

import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.Trait;

/** The results of one strategy in the comparison. */
public sealed interface StrategyResult {
    /** Returns the strategy. */
    LockStrategy strategy();

    /** Returns the name of the strategy. */
    default String name() {
        return strategy().name();
    }

    /** Returns the traits of the strategy. */
    default Set<Trait> traits() {
        return strategy().traits();
    }

    /**
     * A strategy that was measured.
     *
     * @param strategy the strategy
     * @param acquireRelease the latency of acquire and release of an uncontended lock
     * @param ratio the ratio of that latency to the baseline
     * @param costs the commands of each operation
     * @param grantsWhileHeld how often a lock was granted while another owner held it, when the commands were counted
     * @param crowds the contention results for each number of waiters of {@link #CROWDS} that was measured; the number
     *     of threads is one more, because one holds the lock
     */
    record Measured(
            LockStrategy strategy,
            Latency acquireRelease,
            BaselineRatio ratio,
            CommandCosts costs,
            long grantsWhileHeld,
            SortedMap<Integer, ContentionResult> crowds)
            implements StrategyResult {
        /** The numbers of waiters in the runs that count the commands per grant. */
        public static final List<Integer> CROWDS = List.of(1, 8, 64);

        /** The number of waiters in tables that show only one. */
        public static final int CONTENDED = 8;

        public Measured {
            crowds = Collections.unmodifiableSortedMap(new TreeMap<>(crowds));
        }

        static Measured alone(
                LockStrategy strategy, UncontendedResult alone, CommandCosts costs, long grantsWhileHeld) {
            return new Measured(
                    strategy, alone.acquireRelease(), alone.ratio(), costs, grantsWhileHeld, new TreeMap<>());
        }

        Measured with(SortedMap<Integer, ContentionResult> measured) {
            return new Measured(strategy, acquireRelease, ratio, costs, grantsWhileHeld, measured);
        }

        /** Returns the contention result for {@link #CONTENDED} waiters, if it was measured. */
        public Optional<ContentionResult> contended() {
            return Optional.ofNullable(crowds.get(CONTENDED));
        }

        /** Returns whether every number of waiters was measured. */
        public boolean hasAllCrowds() {
            return crowds.keySet().containsAll(CROWDS);
        }

        /** Returns the number of all violations of mutual exclusion. */
        public long violations() {
            return grantsWhileHeld
                    + crowds.values().stream()
                            .mapToLong(crowd -> crowd.violations().total())
                            .sum();
        }
    }

    /**
     * A strategy that was not measured to the end.
     *
     * @param strategy the strategy
     * @param why the category of the reason
     * @param reason the reason in a sentence
     */
    record Unmeasured(LockStrategy strategy, Why why, String reason) implements StrategyResult {}

    /** A category of reasons why a strategy was not measured. */
    enum Why {
        /** The server is a standalone. */
        NEEDS_REPLICA_SET("needs a replica set"),
        /** The server lacks another feature. */
        UNSUPPORTED("not supported by this server"),
        /** The strategy failed. */
        FAILED("failed");

        private final String phrase;

        Why(String phrase) {
            this.phrase = phrase;
        }

        /** Returns the name for the user. */
        public String phrase() {
            return phrase;
        }

        /** Returns the name in JSON. */
        public String id() {
            return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
        }
    }
}
