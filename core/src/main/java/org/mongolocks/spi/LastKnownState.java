package org.mongolocks.spi;

import org.mongolocks.LockSnapshot;

/**
 * The state of a lock when a client last saw it, in this acquisition or in an earlier one. It may have changed since:
 * use it only to select the first command, so that fewer are needed.
 */
public enum LastKnownState {
    /** The client has not seen the lock, or no longer remembers it. */
    UNKNOWN,
    /** The lock was released, or was never held. */
    FREE,
    /** Another owner held the lock: of another client, or another acquisition of this client. */
    HELD,
    /**
     * A change stream has notified the client of a release since the last reply. Other waiters may have been notified
     * too.
     */
    NOTIFIED_FREE;

    /**
     * Returns the state that a snapshot shows.
     *
     * @param snapshot the lock as the server showed it
     * @return held or free
     */
    public static LastKnownState in(LockSnapshot snapshot) {
        return snapshot.isHeld() ? HELD : FREE;
    }
}
