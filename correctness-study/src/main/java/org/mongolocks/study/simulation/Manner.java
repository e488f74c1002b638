package org.mongolocks.study.simulation;

import java.time.Duration;
import java.util.Optional;

/**
 * Says how the workers of a scenario use locks.
 *
 * @param use what they ask for
 * @param patience how long one acquisition waits; empty for as long as the technique does
 * @param commandTimeout what the time limit of a command is set to
 * @param isForAll whether the articles have it too
 */
public record Manner(Use use, Optional<Duration> patience, Duration commandTimeout, boolean isForAll) {
    private static final Duration USUAL = Duration.ofSeconds(2);

    /** Everybody asks for the one lock. */
    public static final Manner ALONE = new Manner(Use.ALONE, Optional.empty(), USUAL, true);

    /** What workers ask for. */
    public enum Use {
        /** For the one lock. */
        ALONE,
        /** For the one lock, in the order in which they come. */
        IN_ORDER,
        /** For the one lock, in the name of an owner that others of the same client have too, several times each. */
        REENTRANT,
        /** For several locks, all or none. */
        SEVERAL,
        /** For several locks, one after the other, each in an order of its own: a control. */
        ONE_BY_ONE
    }

    /**
     * Has what only this library offers.
     *
     * @param use what workers ask for
     * @return the manner
     */
    public static Manner of(Use use) {
        return new Manner(use, Optional.empty(), USUAL, false);
    }

    /**
     * Waits so long.
     *
     * @param most how long one acquisition waits
     * @return the manner
     */
    public Manner patience(Duration most) {
        return new Manner(use, Optional.of(most), commandTimeout, isForAll);
    }

    /**
     * Sets the time limit of a command.
     *
     * @param limit the limit
     * @return the manner
     */
    public Manner commandTimeout(Duration limit) {
        return new Manner(use, patience, limit, isForAll);
    }
}
