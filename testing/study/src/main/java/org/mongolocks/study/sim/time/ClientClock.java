package org.mongolocks.study.sim.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.mongolocks.time.TimeSource;

/**
 * The clock of one client. Its monotonic time may run fast or slow; its wall clock may also be wrong, or have another rate. The monotonic clock of the machine stands still while it is suspended; the library adds
 * that time.
 */
public final class ClientClock implements InstantSource, TimeSource {
    private final VirtualTime time;
    private final ClockFault fault;
    private long omittedNanos;

    public ClientClock(VirtualTime time, ClockFault fault) {
        this.time = time;
        this.fault = fault;
    }

    @Override
    public long nanoTime() {
        return Math.round((time.nowNanos() - omittedNanos) * fault.monotonicRate());
    }

    @Override
    public Instant instant() {
        long passed = Math.round(time.nowNanos() * fault.wallRate());
        return VirtualTime.EPOCH.plus(fault.wallOffset()).plusNanos(passed);
    }

    /** Records a suspend of the machine, during which the clock is not read. */
    public void suspend(Duration length) {
        omittedNanos += fault.omitsSuspends() ? length.toNanos() : 0;
    }

    /** Converts a duration by this clock into real time. */
    public long realNanos(Duration byThisClock) {
        return Math.round(byThisClock.toNanos() / fault.monotonicRate());
    }

    /** Converts a time of this clock into real time. */
    public long realTimeOf(long nanoTime) {
        return Math.round(nanoTime / fault.monotonicRate()) + omittedNanos;
    }

    /**
     * The fault of a client's clock.
     *
     * @param wallOffset how far its wall clock is ahead
     * @param wallRate the seconds of its wall clock in one second
     * @param monotonicRate the seconds of its monotonic clock in one second
     * @param omitsSuspends whether the library's time lacks the time of suspends, as the machine's monotonic clock does
     */
    public record ClockFault(Duration wallOffset, double wallRate, double monotonicRate, boolean omitsSuspends) {
        /** A correct clock. */
        public static final ClockFault NONE = new ClockFault(Duration.ZERO, 1, 1);
        /** A monotonic clock that stands still in a suspend, which the library does not detect. */
        public static final ClockFault OMITS_SUSPENDS = new ClockFault(Duration.ZERO, 1, 1, true);

        /** Creates the fault of a clock that includes suspends. */
        public ClockFault(Duration wallOffset, double wallRate, double monotonicRate) {
            this(wallOffset, wallRate, monotonicRate, false);
        }

        /**
         * Returns a wall clock that is ahead.
         *
         * @param by how far it is ahead
         */
        public static ClockFault ahead(Duration by) {
            return new ClockFault(by, 1, 1);
        }
    }
}
