package org.mongolocks.study.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** The wall clock of the server. */
final class ServerClock implements InstantSource {
    private final VirtualTime time;
    private Duration offset = Duration.ZERO;

    ServerClock(VirtualTime time) {
        this.time = time;
    }

    @Override
    public Instant instant() {
        return SimulatedServer.EPOCH.plus(offset).plusNanos(time.nowNanos());
    }

    void step(Duration by) {
        offset = offset.plus(by);
    }

    /** Returns the time until this clock shows an instant. */
    long nanosUntil(Instant instant) {
        return Duration.between(instant(), instant).toNanos();
    }
}
