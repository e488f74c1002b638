package org.mongolocks;

import io.github.resilience4j.core.IntervalFunction;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.ClientSettings.LeaseSettings;
import org.mongolocks.ClientSettings.Timer;
import org.mongolocks.internal.base.CallerLoader;

/**
 * The part of a client builder that applies while a lock is held.
 *
 * @param <B> the builder of one client
 */
abstract class HoldingOptions<B extends HoldingOptions<B>> {
    /** The default limit for the time that closing a client may take: 10 seconds. */
    public static final Duration DEFAULT_CLOSE_TIMEOUT = Duration.ofSeconds(10);

    /** The default limit for the time that {@code close()} waits for locks that are still held: 5 seconds. */
    public static final Duration DEFAULT_DRAIN_TIMEOUT = Duration.ofSeconds(5);

    private static final Duration MAX_SKEW = Duration.ofMinutes(10);
    private static final Duration MAX_CLOSE_TIMEOUT = Duration.ofMinutes(10);
    private static final Duration MAX_DRAIN_TIMEOUT = Duration.ofDays(1);

    private @Nullable Timer timer;
    private @Nullable Executor listeners;
    private @Nullable Duration skewMargin;
    private Supplier<HolderInfo> holderInfo = HolderInfo::ofThisThread;
    private Duration closeTimeout = DEFAULT_CLOSE_TIMEOUT;
    private Duration drainTimeout = DEFAULT_DRAIN_TIMEOUT;
    private @Nullable LockObserver observer;

    HoldingOptions() {}

    /**
     * Returns this builder with its own type.
     *
     * @return this
     */
    protected abstract B self();

    /**
     * Sets how much earlier the holder's end of a lease is than the server's end. The margin covers what the holder's
     * clock may lose against the server's clock during one lease, and the time that a timer may be late. The default is
     * a thousandth of the ttl and 10 milliseconds: twice the 500 ppm by which a clock under NTP may run wrong, and the
     * coarseness of dates and timers. No margin covers a pause of this JVM.
     *
     * @param margin from zero to 10 minutes, and less than the ttl of every request
     * @return this
     * @throws IllegalArgumentException if the margin is out of bounds
     */
    public B skewMargin(Duration margin) {
        this.skewMargin = requireUpTo(MAX_SKEW, "skewMargin", margin);
        return self();
    }

    /**
     * Limits how long closing the client may take after {@link #drainTimeout}, even if the server does not answer. A lock
     * that could not be released by then stays held until its ttl has passed. The default is {@link #DEFAULT_CLOSE_TIMEOUT}.
     *
     * @param limit from zero, which makes one attempt without waiting, to 10 minutes
     * @return this
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    public B closeTimeout(Duration limit) {
        this.closeTimeout = requireUpTo(MAX_CLOSE_TIMEOUT, "closeTimeout", limit);
        return self();
    }

    /**
     * Sets how long {@code close()} waits for locks that are still held, before it takes them from their holders. Give a
     * shutdown longer than that and {@link #closeTimeout} together. The default is {@link #DEFAULT_DRAIN_TIMEOUT}.
     *
     * @param limit from zero, which closes at once, to one day
     * @return this
     * @throws IllegalArgumentException if the limit is out of bounds
     */
    public B drainTimeout(Duration limit) {
        this.drainTimeout = requireUpTo(MAX_DRAIN_TIMEOUT, "drainTimeout", limit);
        return self();
    }

    /**
     * Sets what is stored about the holder of a lock for operators ({@link LockSnapshot#holderInfo()}). The default is
     * {@link HolderInfo#ofThisThread}: host, process and thread. {@code HolderInfo::none} stores nothing but the note
     * of a request; {@code () -> HolderInfo.of("billing-3")} stores that name as the host.
     *
     * @param info called once for each acquisition, on the thread that acquires, on the reactive client the
     *     subscriber's; it must not block. If it throws, the acquisition throws the same exception and sends nothing;
     *     if it returns null, a {@link NullPointerException}. Its note is not used.
     * @return this
     */
    public B holderInfo(Supplier<HolderInfo> info) {
        Objects.requireNonNull(info, "The holder info is null");
        CallerLoader caller = CallerLoader.ofThisThread();
        this.holderInfo = () -> Objects.requireNonNull(
                caller.call(info), "The function of holderInfo returned null; HolderInfo.none() stores nothing");
        return self();
    }

    /**
     * Sets the executor that runs the listeners of locks. Without one, daemon threads of the client run them, created
     * when needed. A listener has the context class loader of the thread that has added it. Each thread that blocks occupies one of them, and delays only the other
     * listeners of its lock. When 32 are blocked, that is logged once as a warning. Such a thread also hands each
     * listener to this executor, which may block, or run it on the calling thread. If the executor throws, the listener
     * runs on the thread of the client.
     *
     * @param executor the executor, which runs each listener or throws; the caller shuts it down, after the client is
     *     closed
     * @return this
     */
    public B listenerExecutor(Executor executor) {
        Objects.requireNonNull(executor, "The executor is null");
        CallerLoader caller = CallerLoader.ofThisThread();
        this.listeners = listener -> caller.run(() -> executor.execute(listener));
        return self();
    }

    /**
     * Sets the timer of the client, for tests: it should run by the same time as the {@link TimeSource}.
     *
     * @param source the timer; the client does not close it
     * @return this
     */
    public B timer(Timer source) {
        Objects.requireNonNull(source, "The timer is null");
        this.timer = (delay, task) ->
                Objects.requireNonNull(source.schedule(delay, task), "The timer returned null instead of a Timeout");
        return self();
    }

    /**
     * Sets the observer of all locks of the client, for metrics and traces. It is called on a daemon thread of its own,
     * named {@code mongo-locks-observer}, which ends a second after the last event: it may block, be slow or throw
     * without an effect on any lock. Without one, nothing is recorded.
     *
     * @param of the observer; see {@link LockEvent} for what it receives
     * @return this
     */
    public B observer(LockObserver of) {
        Objects.requireNonNull(of, "The observer is null");
        CallerLoader caller = CallerLoader.ofThisThread();
        this.observer = event -> caller.run(() -> of.onEvent(event));
        return self();
    }

    final LeaseSettings holdingSettings(IntervalFunction renewalBackoff) {
        return new LeaseSettings(
                Optional.ofNullable(timer),
                Optional.ofNullable(listeners),
                Optional.ofNullable(skewMargin),
                closeTimeout,
                drainTimeout,
                renewalBackoff,
                holderInfo,
                Optional.ofNullable(observer).map(LockEventDelivery::new));
    }

    private static Duration requireUpTo(Duration most, String what, Duration found) {
        Objects.requireNonNull(found, () -> "The " + what + " is null");
        if (found.isNegative() || found.compareTo(most) > 0) {
            throw new IllegalArgumentException(
                    what + " must be from " + Duration.ZERO + " to " + most + ", was " + found);
        }
        return found;
    }
}
