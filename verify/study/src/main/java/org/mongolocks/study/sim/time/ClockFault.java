package org.mongolocks.study.sim.time;

import java.time.Duration;

/**
 * The fault of a client's clock.
 *
 * @param wallOffset how far its wall clock is ahead
 * @param wallRate the seconds of its wall clock in one second
 * @param monotonicRate the seconds of its monotonic clock in one second
 */
public record ClockFault(Duration wallOffset, double wallRate, double monotonicRate) {
    /** A correct clock. */
    public static final ClockFault NONE = new ClockFault(Duration.ZERO, 1, 1);

    /**
     * Returns a wall clock that is ahead.
     *
     * @param by how far it is ahead
     * @return the fault
     */
    public static ClockFault ahead(Duration by) {
        return new ClockFault(by, 1, 1);
    }
}
