package org.mongolocks.study.sim.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.mongolocks.TimeSource;

/**
 * The clock of one client. Its monotonic time may run fast or slow; its wall clock may also be wrong, be set during the
 * run, or have another rate.
 */
public final class ClientClock implements InstantSource, TimeSource {
    private final VirtualTime time;
    private final ClockFault fault;
    private Duration stepped = Duration.ZERO;

    public ClientClock(VirtualTime time, ClockFault fault) {
        this.time = time;
        this.fault = fault;
    }

    @Override
    public long nanoTime() {
        return Math.round(time.nowNanos() * fault.monotonicRate());
    }

    @Override
    public Instant instant() {
        long passed = Math.round(time.nowNanos() * fault.wallRate());
        return VirtualTime.EPOCH.plus(fault.wallOffset()).plus(stepped).plusNanos(passed);
    }

    public void step(Duration by) {
        stepped = stepped.plus(by);
    }

    /** Converts a duration by this clock into real time. */
    public long realNanos(Duration byThisClock) {
        return Math.round(byThisClock.toNanos() / fault.monotonicRate());
    }

    /** Converts a time of this clock into real time. */
    public long realTimeOf(long nanoTime) {
        return Math.round(nanoTime / fault.monotonicRate());
    }

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
}
