package org.mongolocks.study.simulation;

/** Says what a command is sent for. */
public enum Purpose {
    /** To acquire, or to take an acquisition back. */
    ACQUIRE,
    /** To renew. */
    RENEW,
    /** To release. */
    RELEASE,
    /** To write in a transaction that the lock guards. */
    GUARD,
    /** To listen to changes. */
    WATCH
}
