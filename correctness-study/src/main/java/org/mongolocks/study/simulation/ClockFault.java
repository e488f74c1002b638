package org.mongolocks.study.simulation;

import java.time.Duration;

/**
 * Says how wrong the clock of a client is.
 *
 * @param wallOffset how far its wall clock is ahead
 * @param wallRate how many seconds its wall clock counts in one
 * @param monotonicRate how many seconds its monotonic clock counts in one
 */
public record ClockFault(Duration wallOffset, double wallRate, double monotonicRate) {
    /** A clock that is right. */
    public static final ClockFault NONE = new ClockFault(Duration.ZERO, 1, 1);

    /**
     * Makes a wall clock that is wrong.
     *
     * @param by how far it is ahead
     * @return the fault
     */
    public static ClockFault ahead(Duration by) {
        return new ClockFault(by, 1, 1);
    }
}
