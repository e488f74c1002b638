package org.mongolocks.study.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.mongolocks.study.sim.time.ClientClock;
import org.mongolocks.study.sim.time.ClientClock.ClockFault;
import org.mongolocks.study.sim.time.VirtualTime;
import org.mongolocks.time.Timer.Timeout;

/** Tests of tasks and clocks when a process is paused or its machine is suspended. */
class SimulatedProcessTest {
    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTime time = new VirtualTime();
    private final List<Long> seconds = new ArrayList<>();

    private SimulatedProcess process(ClockFault fault) {
        return new SimulatedProcess(time, new ClientClock(time, fault), new Random(0));
    }

    private void runUntil(long second) {
        time.runUntil(SECOND.multipliedBy(second).toNanos());
    }

    private void note() {
        seconds.add(time.nowNanos() / SECOND.toNanos());
    }

    @Test
    void aTimerIsLateByTheTimeOfASuspendAndNotByThatOfAPause() {
        SimulatedProcess suspended = process(ClockFault.NONE);
        SimulatedProcess paused = process(ClockFault.NONE);
        suspended.timer().schedule(SECOND.multipliedBy(5), this::note);
        paused.timer().schedule(SECOND.multipliedBy(5), this::note);

        runUntil(1);
        suspended.suspend(SECOND.multipliedBy(10));
        paused.pause(SECOND.multipliedBy(6));
        runUntil(20);

        assertThat(seconds).containsExactly(7L, 15L);
    }

    @Test
    void aTimerThatWasDelayedCanBeCancelled() {
        SimulatedProcess process = process(ClockFault.NONE);
        Timeout timeout = process.timer().schedule(SECOND, this::note);

        process.suspend(SECOND.multipliedBy(5));
        runUntil(2);
        timeout.cancel();
        runUntil(20);

        assertThat(seconds).isEmpty();
    }

    @Test
    void theLibrarysTimeIncludesASuspendAndTheMachinesDoesNot() {
        SimulatedProcess aware = process(ClockFault.NONE);
        SimulatedProcess unaware = process(ClockFault.OMITS_SUSPENDS);

        aware.suspend(SECOND.multipliedBy(10));
        unaware.suspend(SECOND.multipliedBy(10));
        runUntil(12);

        assertThat(aware.clock().nanoTime()).isEqualTo(SECOND.multipliedBy(12).toNanos());
        assertThat(unaware.clock().nanoTime()).isEqualTo(SECOND.multipliedBy(2).toNanos());
    }
}
