package org.mongolocks;

import java.util.Objects;
import java.util.Optional;

/**
 * The state of a lock client, for health checks and diagnostics. It may have changed when it is read. Immutable.
 *
 * @param isClosed whether the closing of the client has begun: it acquires nothing more
 * @param changeStream the change stream, which wakes the waiters of this client
 */
public record ClientStatus(boolean isClosed, ChangeStream changeStream) {

    /**
     * Checks that nothing is null.
     *
     * @param isClosed whether the closing of the client has begun
     * @param changeStream the change stream
     */
    public ClientStatus {
        Objects.requireNonNull(changeStream, "The change stream is null");
    }

    /**
     * The change stream of a client, which has one while it waits for locks. Without it waiters poll: they acquire
     * later, and nothing else changes.
     *
     * @param state the state
     * @param reason the newest fault, or why waiters poll: present for {@link State#FAILED}, {@link State#PAUSED} and
     *     {@link State#UNAVAILABLE}
     */
    public record ChangeStream(State state, Optional<String> reason) {
        /**
         * Checks that nothing is null.
         *
         * @param state the state
         * @param reason why waiters poll
         */
        public ChangeStream {
            Objects.requireNonNull(state, "The state is null");
            Objects.requireNonNull(reason, "The reason is null");
        }

        /** The states of a change stream. */
        public enum State {
            /** The stream is closed: nobody waits for a lock, or the first waiter has yet to open it. */
            IDLE,
            /** The stream was requested, and the server has not replied; waiters poll. */
            OPENING,
            /** The stream is open, as far as known, and its events wake waiters. */
            OPEN,
            /** The stream is open, and its events are late, as behind a router: waiters poll beside it. */
            LATE,
            /** The stream has failed, and the next waiter opens it after a backoff; waiters poll. */
            FAILED,
            /** The stream is closed for a while, because commands got no connection or no reply; waiters poll. */
            PAUSED,
            /**
             * The client has no stream, and its waiters poll. The driver's client has a {@code timeoutMS}, or the
             * deployment has no streams, or the user may not open one; a waiter tries the latter again after up to ten
             * minutes.
             */
            UNAVAILABLE,
            /** The client is closed. */
            CLOSED
        }
    }
}
