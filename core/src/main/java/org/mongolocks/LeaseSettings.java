package org.mongolocks;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * The settings of a client that apply while a lock is held. {@link LockClientBuilder} creates them. Immutable.
 *
 * @param timer the timer; empty for the client's own
 * @param listeners the executor that runs listeners; empty for the client's own
 * @param skewMargin how much earlier than the server's end the holder's end of a lease is; empty for
 *     {@linkplain #marginFor one that grows with the ttl}
 * @param closeTimeout how long closing the client may take
 * @param renewalBackoff the wait before a failed renewal is retried
 * @param holderInfo returns the information about the holder, called on the thread that acquires
 * @param wallClock the clock of this machine, which is only compared with the server's clock
 * @param clockJumps the listener that is called when one of the two clocks has jumped
 */
public record LeaseSettings(
        Optional<Timer> timer,
        Optional<Executor> listeners,
        Optional<Duration> skewMargin,
        Duration closeTimeout,
        IntervalFunction renewalBackoff,
        Supplier<HolderInfo> holderInfo,
        InstantSource wallClock,
        ClockJumpListener clockJumps) {
    /** Two clocks that are each wrong by 500 ppm, the most that NTP corrects by slewing, drift apart by this part. */
    private static final int DRIFT = 1_000;
    /** Dates are cut to milliseconds, clocks are read coarsely, and timers run a little late. */
    private static final Duration GRANULARITY = Duration.ofMillis(10);

    private static final Duration USUAL_TTL = Duration.ofSeconds(30);

    /**
     * Creates the settings of a client that compares the server's clock with the system's clock, and only logs a jump.
     *
     * @param timer the timer; empty for the client's own
     * @param listeners the executor that runs listeners; empty for the client's own
     * @param skewMargin how much earlier than the server's end the holder's end of a lease is; empty for one that grows
     *     with the ttl
     * @param closeTimeout how long closing the client may take
     * @param renewalBackoff the wait before a failed renewal is retried
     * @param holderInfo returns the information about the holder, called on the thread that acquires
     */
    public LeaseSettings(
            Optional<Timer> timer,
            Optional<Executor> listeners,
            Optional<Duration> skewMargin,
            Duration closeTimeout,
            IntervalFunction renewalBackoff,
            Supplier<HolderInfo> holderInfo) {
        this(
                timer,
                listeners,
                skewMargin,
                closeTimeout,
                renewalBackoff,
                holderInfo,
                InstantSource.system(),
                jump -> {});
    }

    /**
     * Returns by how much the offset between the server's clock and this machine's clock may jump without a report: the
     * skew margin if it was set, else that of a lease of 30 seconds.
     *
     * @return the margin
     */
    public Duration clockMargin() {
        return skewMargin.orElseGet(() -> marginFor(USUAL_TTL));
    }

    /**
     * Returns how much earlier the holder's end of a lease is than the server's end: the margin that was set, else a
     * thousandth of the ttl and 10 milliseconds.
     *
     * @param ttl the length of the lease
     * @return the margin
     * @throws IllegalArgumentException if the ttl does not exceed the margin
     */
    public Duration marginFor(Duration ttl) {
        Duration margin = skewMargin.orElseGet(
                () -> Duration.ofNanos(ttl.toNanos() / DRIFT).plus(GRANULARITY));
        if (ttl.compareTo(margin) <= 0) {
            throw new IllegalArgumentException("ttl must exceed the skew margin (" + margin + "), was " + ttl);
        }
        return margin;
    }
}
