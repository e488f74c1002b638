package org.mongolocks.internal.settings;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockObserver;
import org.mongolocks.Owner;
import org.mongolocks.SchemaMode;
import org.mongolocks.TokenListener;
import org.mongolocks.internal.base.FreshIds;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.time.TimeSource;
import org.mongolocks.time.Timer;

/**
 * The settings of one client, the same for both drivers. {@link LockClientBuilder} creates them. Immutable.
 *
 * @param strategy the lock strategy
 * @param collection the collection that holds the lock documents, without its database
 * @param commandTimeout the time limit of one command, the driver's own retries included
 * @param polling the wait before each next attempt while another owner holds the lock
 * @param faults how often to retry after a fault, and how long to wait before each retry
 * @param time the monotonic time of the client
 * @param instance the name of the client instance, the first part of each {@link Owner}
 * @param grants the source of the second part of each {@link Owner}; it never returns the same value twice
 * @param schema what the client does about collections and indexes when it is built
 * @param holding the settings that apply while a lock is held
 * @param tokens the listener that is called when the fencing tokens of a lock went back
 */
public record ClientSettings(
        LockStrategy strategy,
        String collection,
        Duration commandTimeout,
        IntervalFunction polling,
        FaultPolicy faults,
        TimeSource time,
        String instance,
        Supplier<UUID> grants,
        SchemaMode schema,
        LeaseSettings holding,
        TokenListener tokens) {

    /** Returns a fresh owner, for one acquisition. */
    public Owner newOwner() {
        return new Owner(instance, grants.get());
    }

    /** Returns the settings of another client, whose instance has a random name. */
    ClientSettings withOtherInstance() {
        return new ClientSettings(
                strategy,
                collection,
                commandTimeout,
                polling,
                faults,
                time,
                FreshIds.next().toString(),
                grants,
                schema,
                holding,
                tokens);
    }

    /**
     * The settings of a client that apply while a lock is held. {@link LockClientBuilder} creates them. Immutable.
     *
     * @param timer the timer; empty for the client's own
     * @param listeners the executor that runs listeners; empty for the client's own
     * @param skewMargin how much earlier than the server's end the holder's end of a lease is; empty for
     *     {@linkplain #marginFor one that grows with the ttl}
     * @param closeTimeout how long closing the client may take after that
     * @param drainTimeout how long closing the client waits for locks that are still held
     * @param renewalBackoff the wait before a failed renewal is retried
     * @param holderInfo returns the information about the holder, called on the thread that acquires
     * @param observer the observer of all locks, which neither blocks nor throws; empty for none
     */
    public record LeaseSettings(
            Optional<Timer> timer,
            Optional<Executor> listeners,
            Optional<Duration> skewMargin,
            Duration closeTimeout,
            Duration drainTimeout,
            IntervalFunction renewalBackoff,
            Supplier<HolderInfo> holderInfo,
            Optional<LockObserver> observer) {
        /** Two clocks that are each wrong by 500 ppm, the most that NTP corrects by slewing, drift apart by this part. */
        private static final int DRIFT = 1_000;
        /** Dates are cut to milliseconds, clocks are read coarsely, and timers run a little late. */
        private static final Duration GRANULARITY = Duration.ofMillis(10);

        /** Returns the margin for a ttl: the one that was set, else a thousandth of the ttl and 10 milliseconds. */
        public Duration marginFor(Duration ttl) {
            Duration margin = skewMargin.orElseGet(
                    () -> Duration.ofNanos(ttl.toNanos() / DRIFT).plus(GRANULARITY));
            if (ttl.compareTo(margin) <= 0) {
                throw new IllegalArgumentException("ttl must exceed the skew margin (" + margin + "), was " + ttl);
            }
            return margin;
        }
    }
}
