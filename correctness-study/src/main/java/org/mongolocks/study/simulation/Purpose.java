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
    /** To look at a lock, or to force it free. */
    OPERATE,
    /** To check the collections when a client is built. */
    CHECK,
    /** To listen to changes. */
    WATCH
}
