package org.mongolocks;

import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An event of a lock in one client. Each acquisition that {@linkplain Kind#WAITING waits} ends with one of
 * {@link Kind#ACQUIRED}, {@link Kind#CONTENDED} and {@link Kind#FAILED}; each {@link Kind#ACQUIRED} is followed by one of
 * {@link Kind#RELEASED} and {@link Kind#LOST}, unless the release {@linkplain Kind#RELEASE_FAILED failed}. A reentrant
 * request that enters a held lock causes no event. Immutable: each method that changes something returns another event. A
 * client creates it, or a test.
 */
public final class LockEvent {
    private final Kind kind;
    private final LockName name;
    private final String strategy;
    private final OptionalLong fencingToken;
    private final Optional<Duration> waited;
    private final Optional<Duration> held;
    private final Optional<LossReason> lossReason;

    private LockEvent(
            Kind kind,
            LockName name,
            String strategy,
            OptionalLong fencingToken,
            Optional<Duration> waited,
            Optional<Duration> held,
            Optional<LossReason> lossReason) {
        this.kind = Objects.requireNonNull(kind, "The kind is null");
        this.name = Objects.requireNonNull(name, "The name of the lock is null");
        this.strategy = Objects.requireNonNull(strategy, "The strategy is null");
        this.fencingToken = Objects.requireNonNull(fencingToken, "The token is null");
        this.waited = Objects.requireNonNull(waited, "The wait is null");
        this.held = Objects.requireNonNull(held, "The hold time is null");
        this.lossReason = Objects.requireNonNull(lossReason, "The reason is null");
    }

    /**
     * Creates an event without a grant.
     *
     * @param kind what happened
     * @param name the name of the lock
     * @param strategy the name of the strategy
     * @return the event
     */
    public static LockEvent of(Kind kind, LockName name, String strategy) {
        return new LockEvent(
                kind, name, strategy, OptionalLong.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    /**
     * Returns the same event of a grant.
     *
     * @param fencingToken the token of the grant
     * @return the event with that token
     */
    @CheckReturnValue
    public LockEvent fencingToken(OptionalLong fencingToken) {
        return new LockEvent(kind, name, strategy, fencingToken, waited, held, lossReason);
    }

    /**
     * Returns the same event with the time of the acquisition.
     *
     * @param waited how long it took
     * @return the event with that time
     */
    @CheckReturnValue
    public LockEvent waited(Optional<Duration> waited) {
        return new LockEvent(kind, name, strategy, fencingToken, waited, held, lossReason);
    }

    /**
     * Returns the same event with the time since the grant.
     *
     * @param held how long the lock was held
     * @return the event with that time
     */
    @CheckReturnValue
    public LockEvent held(Optional<Duration> held) {
        return new LockEvent(kind, name, strategy, fencingToken, waited, held, lossReason);
    }

    /**
     * Returns the same event with the reason of a loss.
     *
     * @param lossReason why the lock was lost
     * @return the event with that reason
     */
    @CheckReturnValue
    public LockEvent lossReason(Optional<LossReason> lossReason) {
        return new LockEvent(kind, name, strategy, fencingToken, waited, held, lossReason);
    }

    /** {@return what happened} */
    public Kind kind() {
        return kind;
    }

    /** {@return the name of the lock} */
    public LockName name() {
        return name;
    }

    /** {@return the name of the strategy} */
    public String strategy() {
        return strategy;
    }

    /** {@return the token of the grant; empty if there is none, or it is unknown} */
    public OptionalLong fencingToken() {
        return fencingToken;
    }

    /**
     * {@return how long the acquisition took, from the call: present for {@link Kind#ACQUIRED}, {@link Kind#CONTENDED} and
     * {@link Kind#FAILED}}
     */
    public Optional<Duration> waited() {
        return waited;
    }

    /**
     * {@return how long the lock was held, from the grant: present for the events of a held lock but
     * {@link Kind#ACQUIRED}}
     */
    public Optional<Duration> held() {
        return held;
    }

    /** {@return why the lock was lost: present for {@link Kind#LOST}} */
    public Optional<LossReason> lossReason() {
        return lossReason;
    }

    @Override
    public String toString() {
        return kind + " of lock '" + name + "' with strategy '" + strategy + "', token " + fencingToken + ", waited "
                + waited + ", held " + held + ", reason " + lossReason;
    }

    /** The kinds of events. */
    public enum Kind {
        /** Another owner holds the lock, or earlier waiters are queued, and an acquisition begins to wait. */
        WAITING,
        /** The lock was acquired. */
        ACQUIRED,
        /** Another owner held the lock until the deadline: nothing was acquired. */
        CONTENDED,
        /** The acquisition failed, was interrupted or cancelled, or its outcome is indeterminate. */
        FAILED,
        /** A possible grant that the caller did not get was released. */
        COMPENSATED,
        /** The lease was renewed, by the client or by the holder. */
        RENEWED,
        /** A third of the ttl is left, or less: once for each approach to the end of the lease. */
        ENDANGERED,
        /** The lock was lost while it was held; also when the client was closed, or if only its release found that. */
        LOST,
        /** The lock was released by its holder, and was held until then. */
        RELEASED,
        /** A release got no reply, or was refused. The lock stays held until its ttl has passed, or it is released again. */
        RELEASE_FAILED
    }
}
