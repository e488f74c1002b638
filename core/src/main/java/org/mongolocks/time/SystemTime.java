package org.mongolocks.time;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * The monotonic time of this machine, with the time for which the machine was suspended. {@link System#nanoTime()}
 * stands still during a suspend on Linux and macOS, so that a lease would seem to last although it has ended on the
 * server.
 *
 * <p>When the wall clock has moved ahead of the monotonic clock by {@link #MIN_SUSPEND} or more since the last reading,
 * the machine was suspended or its wall clock was set. On Linux the time since boot, which includes suspends, decides
 * that. Elsewhere it is taken as a suspend: a lease then ends early for its holder, never late. Thread-safe.
 */
final class SystemTime implements TimeSource {
    /** Shorter suspends are not detected: time daemons correct smaller differences gradually. */
    static final Duration MIN_SUSPEND = Duration.ofMillis(250);

    /** Bounds what a gradual correction of the wall clock adds up to between two readings that are compared. */
    private static final Duration MAX_READING_AGE = Duration.ofSeconds(10);
    /** The two clocks must be read without a pause of the thread in between. */
    private static final Duration MAX_READ_TIME = Duration.ofMillis(10);

    /** The uptime is known in steps of 10 milliseconds; the wall clock in steps of one, read within {@link #MAX_READ_TIME}. */
    private static final Duration MAX_ROUNDING = Duration.ofMillis(20);

    private static final Path UPTIME = Path.of("/proc/uptime");

    /** The time source of this JVM. */
    static final SystemTime INSTANCE =
            new SystemTime(System::nanoTime, System::currentTimeMillis, SystemTime::readUptime);

    private final LongSupplier monotonicNanos;
    private final LongSupplier wallMillis;
    private final Supplier<OptionalLong> uptimeNanos;
    private final OptionalLong leastUptimeAhead;
    private final AtomicReference<Reading> last;

    /**
     * A reading of both clocks.
     *
     * @param monotonic the monotonic clock, in nanoseconds
     * @param wall the wall clock, in nanoseconds
     * @param suspended the time of all suspends known by then, in nanoseconds
     */
    private record Reading(long monotonic, long wall, long suspended) {
        long time() {
            return monotonic + suspended;
        }

        /** Returns by how much the wall clock has moved further than the monotonic clock since then. */
        long gapSince(Reading earlier) {
            return (wall - earlier.wall) - (monotonic - earlier.monotonic);
        }

        Reading withSuspended(long nanos) {
            return new Reading(monotonic, wall, nanos);
        }
    }

    SystemTime(LongSupplier monotonicNanos, LongSupplier wallMillis, Supplier<OptionalLong> uptimeNanos) {
        this.monotonicNanos = monotonicNanos;
        this.wallMillis = wallMillis;
        this.uptimeNanos = uptimeNanos;
        this.leastUptimeAhead = minus(uptimeNanos.get(), monotonicNanos);
        this.last = new AtomicReference<>(read(0));
    }

    /** The usual case creates no object: each command reads the time several times. */
    @Override
    public long nanoTime() {
        Reading earlier = Objects.requireNonNull(last.get());
        long before = monotonicNanos.getAsLong();
        long wall = TimeUnit.MILLISECONDS.toNanos(wallMillis.getAsLong());
        long monotonic = monotonicNanos.getAsLong();
        long sinceEarlier = monotonic - earlier.monotonic;
        boolean isUsual = monotonic - before <= MAX_READ_TIME.toNanos()
                && Math.abs(wall - earlier.wall - sinceEarlier) < MIN_SUSPEND.toNanos()
                && sinceEarlier <= MAX_READING_AGE.toNanos();
        return isUsual ? monotonic + earlier.suspended : nanoTimeSince(earlier);
    }

    private long nanoTimeSince(Reading earlier) {
        Reading now = read(earlier.suspended());
        if (Math.abs(now.gapSince(earlier)) >= MIN_SUSPEND.toNanos()) {
            Reading corrected = now.withSuspended(suspendedBy(now, earlier));
            return last.compareAndSet(earlier, corrected) ? corrected.time() : nanoTime();
        }
        if (now.monotonic() - earlier.monotonic() > MAX_READING_AGE.toNanos()) {
            last.compareAndSet(earlier, now);
        }
        return now.time();
    }

    /**
     * Returns the time of all suspends, after a gap between the clocks. Every error makes it too long, and a lease seem
     * shorter than it is.
     */
    private long suspendedBy(Reading now, Reading earlier) {
        OptionalLong ahead = mostUptimeAhead();
        long measured = ahead.isPresent() && leastUptimeAhead.isPresent()
                ? ahead.getAsLong() - leastUptimeAhead.getAsLong()
                : earlier.suspended() + now.gapSince(earlier);
        long total = measured + MAX_ROUNDING.toNanos();
        boolean isSuspend =
                total - earlier.suspended() >= MIN_SUSPEND.dividedBy(2).toNanos();
        return isSuspend ? total : earlier.suspended();
    }

    /**
     * Returns by how much the time since boot is ahead of the monotonic clock: a constant and the suspends. A pause of
     * the thread makes it more, because the monotonic clock is read first; at the start it is read last.
     */
    private OptionalLong mostUptimeAhead() {
        long monotonic = monotonicNanos.getAsLong();
        return minus(uptimeNanos.get(), () -> monotonic);
    }

    private static OptionalLong minus(OptionalLong uptime, LongSupplier monotonic) {
        return uptime.isEmpty() ? uptime : OptionalLong.of(uptime.getAsLong() - monotonic.getAsLong());
    }

    private Reading read(long suspended) {
        long before = monotonicNanos.getAsLong();
        long wall = TimeUnit.MILLISECONDS.toNanos(wallMillis.getAsLong());
        long after = monotonicNanos.getAsLong();
        while (after - before > MAX_READ_TIME.toNanos()) {
            before = after;
            wall = TimeUnit.MILLISECONDS.toNanos(wallMillis.getAsLong());
            after = monotonicNanos.getAsLong();
        }
        return new Reading(after, wall, suspended);
    }

    /** Reads the time since boot, in hundredths of a second; empty on systems that do not have the file. */
    private static OptionalLong readUptime() {
        try {
            String seconds = Files.readString(UPTIME).split(" ", 2)[0];
            return OptionalLong.of((long) (Double.parseDouble(seconds) * TimeUnit.SECONDS.toNanos(1)));
        } catch (IOException | NumberFormatException e) {
            return OptionalLong.empty();
        }
    }
}
