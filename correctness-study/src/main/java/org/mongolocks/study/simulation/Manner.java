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
 * @param isKeptAlive whether a lock is renewed while it is held, if the technique does that
 * @param handover how long it may take at the median, while others wait, from a release to the next grant; empty for any time
 * @param isChecked whether each client checks the collections before it is used, as when it is built
 */
public record Manner(
        Use use,
        Optional<Duration> patience,
        Duration commandTimeout,
        boolean isForAll,
        boolean isKeptAlive,
        Optional<Duration> handover,
        boolean isChecked) {
    private static final Duration USUAL = Duration.ofSeconds(2);

    /** Everybody asks for the one lock. */
    public static final Manner ALONE =
            new Manner(Use.ALONE, Optional.empty(), USUAL, true, true, Optional.empty(), false);

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
        /** For several locks, all or none, which it releases one after another, with work in between. */
        IN_PARTS,
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
        return new Manner(use, Optional.empty(), USUAL, false, true, Optional.empty(), false);
    }

    /**
     * Waits so long.
     *
     * @param most how long one acquisition waits
     * @return the manner
     */
    public Manner patience(Duration most) {
        return new Manner(use, Optional.of(most), commandTimeout, isForAll, isKeptAlive, handover, isChecked);
    }

    /**
     * Sets the time limit of a command.
     *
     * @param limit the limit
     * @return the manner
     */
    public Manner commandTimeout(Duration limit) {
        return new Manner(use, patience, limit, isForAll, isKeptAlive, handover, isChecked);
    }

    /**
     * Has no lock renewed.
     *
     * @return the manner
     */
    public Manner withoutKeepAlive() {
        return new Manner(use, patience, commandTimeout, isForAll, false, handover, isChecked);
    }

    /**
     * Bounds how long a hand-over takes.
     *
     * @param median how long one may take at the median
     * @return the manner
     */
    public Manner handover(Duration median) {
        return new Manner(use, patience, commandTimeout, isForAll, isKeptAlive, Optional.of(median), isChecked);
    }

    /**
     * Has each client check the collections before it is used.
     *
     * @return the manner
     */
    public Manner checked() {
        return new Manner(use, patience, commandTimeout, isForAll, isKeptAlive, handover, true);
    }
}
