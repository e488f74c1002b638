package org.mongolocks.study.sim.net;

/** The purpose of a command. */
public enum Purpose {
    /** To acquire, or to compensate an acquisition. */
    ACQUIRE,
    /** To renew. */
    RENEW,
    /** To release. */
    RELEASE,
    /** To write in a guarded transaction. */
    GUARD,
    /** To inspect or force-release a lock. */
    OPERATE,
    /** To check the collections when a client is built. */
    CHECK,
    /** To listen to changes. */
    WATCH
}
