package org.mongolocks.study.sim.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.mongolocks.TimeSource;
import org.mongolocks.study.sim.server.SimulatedServer;

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
        return SimulatedServer.EPOCH.plus(fault.wallOffset()).plus(stepped).plusNanos(passed);
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
}
