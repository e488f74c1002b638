package org.mongolocks.spi;

import org.mongolocks.LockSnapshot;

/**
 * Tells how a client saw a lock last, in this acquisition or in an earlier one. That may have changed long since: it is good
 * for choosing the command to begin with, so that fewer are needed, and for nothing else.
 */
public enum LastSeen {
    /** The client has not seen the lock, or has forgotten it. */
    UNKNOWN,
    /** It was given back, or nobody had it. */
    FREE,
    /** Somebody had it: another, or another acquisition of this client. */
    HELD,
    /** A change stream told since the last answer that it was given back. Others who wait for it may have been told as well. */
    RELEASED;

    /**
     * Judges what the server said.
     *
     * @param snapshot what it said
     * @return held or free
     */
    public static LastSeen in(LockSnapshot snapshot) {
        return snapshot.isHeld() ? HELD : FREE;
    }
}
