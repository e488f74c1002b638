package org.mongolocks.study.simulation;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Is the wall clock of the server. */
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

    /** Tells how long it is until this clock shows a time. */
    long nanosUntil(Instant instant) {
        return Duration.between(instant(), instant).toNanos();
    }
}
