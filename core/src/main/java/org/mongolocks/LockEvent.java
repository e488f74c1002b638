package org.mongolocks;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * An event of a lock in one client. Each acquisition that {@linkplain Kind#WAITING waits} ends with one of
 * {@link Kind#ACQUIRED}, {@link Kind#CONTENDED} and {@link Kind#FAILED}; each {@link Kind#ACQUIRED} is followed by one of
 * {@link Kind#RELEASED} and {@link Kind#LOST}, unless the release {@linkplain Kind#RELEASE_FAILED failed}. A reentrant
 * request that enters a held lock causes no event. Immutable.
 *
 * @param kind what happened
 * @param name the name of the lock
 * @param strategy the name of the strategy
 * @param fencingToken the token of the grant; empty if there is none, or it is unknown
 * @param waited how long the acquisition took, from the call: present for {@link Kind#ACQUIRED}, {@link Kind#CONTENDED} and
 *     {@link Kind#FAILED}
 * @param held how long the lock was held, from the grant: present for the events of a held lock but
 *     {@link Kind#ACQUIRED}
 * @param lossReason why it was lost: present for {@link Kind#LOST}
 */
public record LockEvent(
        Kind kind,
        LockName name,
        String strategy,
        OptionalLong fencingToken,
        Optional<Duration> waited,
        Optional<Duration> held,
        Optional<LossReason> lossReason) {
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
