package org.mongolocks;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * Holds the settings for the time while a lock is held. {@link LockClientBuilder} makes them.
 *
 * @param timer runs what is due later; empty for the client's own
 * @param listeners runs the listeners; empty for the client's own
 * @param skewMargin how much earlier than the server's end the holder's end of a lease is; empty for
 *     {@linkplain #marginFor one that grows with the ttl}
 * @param closeTimeout how long closing the client may take
 * @param renewalBackoff how long to wait before a renewal that failed is tried again
 * @param holderInfo tells who asks for a lock, on the thread that asks
 */
public record HoldingSettings(
        Optional<Timer> timer,
        Optional<Executor> listeners,
        Optional<Duration> skewMargin,
        Duration closeTimeout,
        IntervalFunction renewalBackoff,
        Supplier<HolderInfo> holderInfo) {
    /** Two clocks that are each wrong by 500 ppm, the most that NTP corrects by slewing, drift apart by this part. */
    private static final int DRIFT = 1_000;
    /** Dates are cut to milliseconds, clocks are read coarsely, and timers run a little late. */
    private static final Duration GRANULARITY = Duration.ofMillis(10);

    /**
     * Gives how much earlier than the server's the holder's end of a lease is: as it was set, else a thousandth of the
     * ttl and 10 milliseconds.
     *
     * @param ttl the length of the lease
     * @return the margin
     * @throws IllegalArgumentException if the ttl is not longer than the margin
     */
    public Duration marginFor(Duration ttl) {
        Duration margin = skewMargin.orElseGet(
                () -> Duration.ofNanos(ttl.toNanos() / DRIFT).plus(GRANULARITY));
        if (ttl.compareTo(margin) <= 0) {
            throw new IllegalArgumentException(
                    "A ttl is longer than the skew margin of the client, which is " + margin + ", but it was " + ttl);
        }
        return margin;
    }
}
