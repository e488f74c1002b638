package org.mongolocks.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.OptionalLong;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.Lease;
import org.mongolocks.LockName;
import org.mongolocks.LossReason;
import org.mongolocks.Owner;
import org.mongolocks.internal.hold.Hold;

class SystemTimeTest {
    private static final Duration SUSPEND = Duration.ofMinutes(5);
    private static final Duration PAUSE = Duration.ofSeconds(5);
    /** By how much a suspend may count as longer than it was. */
    private static final long MAX_ERROR_NANOS = Duration.ofMillis(25).toNanos();

    private long monotonicNanos = 1_000_000_000;
    private long wallNanos = 77_000_000_000L;
    private long uptimeNanos = 3_000_000_000L;
    private boolean hasUptime = true;
    private Runnable beforeUptime = () -> {};
    private Runnable afterUptime = () -> {};

    @Test
    void timePassesWithTheMonotonicClock() {
        SystemTime time = time();
        long start = time.nanoTime();

        for (int seconds = 0; seconds < 100; seconds++) {
            run(Duration.ofSeconds(1));
        }

        assertThat(time.nanoTime() - start).isEqualTo(Duration.ofSeconds(100).toNanos());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void suspendCountsAsTime(boolean isUptimeKnown) {
        hasUptime = isUptimeKnown;
        SystemTime time = time();
        long start = time.nanoTime();

        suspend();
        run(Duration.ofSeconds(1));
        suspend();

        assertAtLeast(time.nanoTime() - start, SUSPEND.multipliedBy(2).plusSeconds(1));
    }

    /** The other direction would make a lease seem to last longer than it does. */
    @ParameterizedTest
    @CsvSource({"true,true", "true,false", "false,true", "false,false"})
    void pauseOfTheThreadWhileItReadsMakesNoSuspendShorter(boolean isBefore, boolean isAtStart) {
        Runnable pause = () -> run(PAUSE);
        beforeUptime = isAtStart && isBefore ? pause : () -> {};
        afterUptime = isAtStart && !isBefore ? pause : () -> {};
        SystemTime time = time();
        long start = time.nanoTime();
        long startUptime = uptimeNanos;
        suspend();
        beforeUptime = !isAtStart && isBefore ? pause : () -> {};
        afterUptime = !isAtStart && !isBefore ? pause : () -> {};

        time.nanoTime();

        assertThat(time.nanoTime() - start).isGreaterThanOrEqualTo(uptimeNanos - startUptime);
    }

    /** The time since boot is known in hundredths of a second, the wall clock in milliseconds. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void coarseClocksMakeNoSuspendShorter(boolean isUptimeKnown) {
        hasUptime = isUptimeKnown;
        SystemTime time = new SystemTime(
                () -> monotonicNanos,
                () -> wallNanos / 1_000_000,
                () -> hasUptime ? OptionalLong.of(uptimeNanos / 10_000_000 * 10_000_000) : OptionalLong.empty());
        long start = time.nanoTime();

        suspend();
        wallNanos -= 1;
        uptimeNanos -= 1;

        assertThat(time.nanoTime() - start).isGreaterThanOrEqualTo(SUSPEND.toNanos() - 1);
    }

    @Test
    void leaseIsOverAtOnceAfterASuspend() {
        SystemTime time = time();
        Duration ttl = Duration.ofSeconds(30);
        Owner owner = new Owner("lab", new UUID(0, 1));
        Lease lease = new Lease(LockName.of("a"), owner, 1, ttl, time.nanoTime() + ttl.toNanos());
        Hold hold = new Hold(lease, time, Runnable::run);
        assertThat(hold.isHeld()).isTrue();

        suspend();

        assertThat(hold.isHeld()).isFalse();
        assertThat(hold.loss()).contains(LossReason.EXPIRED);
    }

    @Test
    void wallClockThatIsSetDoesNotMoveTimeWhereTheUptimeIsKnown() {
        SystemTime time = time();
        long start = time.nanoTime();

        wallNanos += SUSPEND.toNanos();
        run(Duration.ofSeconds(1));
        long later = time.nanoTime();
        wallNanos -= SUSPEND.multipliedBy(3).toNanos();

        assertThat(later - start).isEqualTo(Duration.ofSeconds(1).toNanos());
        assertThat(time.nanoTime()).isEqualTo(later);
    }

    @Test
    void wallClockThatIsSetBackNeverMovesTimeBack() {
        hasUptime = false;
        SystemTime time = time();
        suspend();
        long start = time.nanoTime();

        wallNanos -= SUSPEND.multipliedBy(3).toNanos();

        assertThat(time.nanoTime()).isEqualTo(start);
    }

    @Test
    void suspendIsDetectedAlsoWhenTheWallClockWasSetBefore() {
        SystemTime time = time();
        long start = time.nanoTime();
        wallNanos += SUSPEND.toNanos();
        time.nanoTime();

        suspend();

        assertAtLeast(time.nanoTime() - start, SUSPEND);
    }

    /** A daemon that corrects the wall clock by 500 parts in a million gains 250 ms in 500 s. */
    @Test
    void gradualCorrectionOfTheWallClockIsNoSuspend() {
        hasUptime = false;
        SystemTime time = time();
        long start = time.nanoTime();

        for (int seconds = 0; seconds < 10_000; seconds++) {
            run(Duration.ofSeconds(1));
            wallNanos += Duration.ofSeconds(1).toNanos() / 2_000;
            time.nanoTime();
        }

        assertThat(time.nanoTime() - start).isEqualTo(Duration.ofSeconds(10_000).toNanos());
    }

    @Test
    void timeOfThisMachineMovesForward() {
        long start = SystemTime.INSTANCE.nanoTime();

        assertThat(SystemTime.INSTANCE.nanoTime() - start).isNotNegative();
    }

    private SystemTime time() {
        return new SystemTime(() -> monotonicNanos, () -> wallNanos / 1_000_000, this::readUptime);
    }

    private OptionalLong readUptime() {
        beforeUptime.run();
        OptionalLong uptime = hasUptime ? OptionalLong.of(uptimeNanos) : OptionalLong.empty();
        afterUptime.run();
        return uptime;
    }

    private static void assertAtLeast(long nanos, Duration passed) {
        assertThat(nanos).isBetween(passed.toNanos(), passed.toNanos() + MAX_ERROR_NANOS);
    }

    private void run(Duration duration) {
        monotonicNanos += duration.toNanos();
        wallNanos += duration.toNanos();
        uptimeNanos += duration.toNanos();
    }

    private void suspend() {
        wallNanos += SUSPEND.toNanos();
        uptimeNanos += SUSPEND.toNanos();
    }
}
