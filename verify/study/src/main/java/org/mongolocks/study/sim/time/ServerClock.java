package org.mongolocks.study.sim.time;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.mongolocks.study.sim.server.SimulatedServer;

/** The wall clock of the server. */
public final class ServerClock implements InstantSource {
    private final VirtualTime time;
    private Duration offset = Duration.ZERO;

    public ServerClock(VirtualTime time) {
        this.time = time;
    }

    @Override
    public Instant instant() {
        return SimulatedServer.EPOCH.plus(offset).plusNanos(time.nowNanos());
    }

    public void step(Duration by) {
        offset = offset.plus(by);
    }

    /** Returns the time until this clock shows an instant. */
    public long nanosUntil(Instant instant) {
        return Duration.between(instant(), instant).toNanos();
    }
}
