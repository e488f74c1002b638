package org.mongolocks.study.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.mongolocks.TimeSource;

/**
 * The clock of one client. Its monotonic time may run fast or slow; its wall clock may also be wrong, be set during the
 * run, or have another rate.
 */
final class ClientClock implements InstantSource, TimeSource {
    private final VirtualTime time;
    private final ClockFault fault;
    private Duration stepped = Duration.ZERO;

    ClientClock(VirtualTime time, ClockFault fault) {
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
        return SimulatedServer.EPOCH.plus(fault.wallOffset()).plus(stepped).plusNanos(passed);
    }

    void step(Duration by) {
        stepped = stepped.plus(by);
    }

    /** Converts a duration by this clock into real time. */
    long realNanos(Duration byThisClock) {
        return Math.round(byThisClock.toNanos() / fault.monotonicRate());
    }

    /** Converts a time of this clock into real time. */
    long realTimeOf(long nanoTime) {
        return Math.round(nanoTime / fault.monotonicRate());
    }
}
