package org.mongolocks.spi;

/** A capability or a need of a strategy. Needs are checked when a client is built. */
public enum Trait {
    /** Judges and sets expiry by the server's clock alone. Needs MongoDB 4.4 or newer. */
    SERVER_CLOCK,
    /** Judges expiry by observation: no clock is compared with another, and the server needs no update pipelines. */
    CLOCK_FREE,
    /** Grants fencing tokens that strictly grow over every grant, release, takeover, forced release and clean-up. */
    STRICT_FENCING,
    /** Cleans up unused lock documents automatically. */
    SELF_CLEANING,
    /** Needs transactions, and so a replica set or a sharded cluster. */
    NEEDS_TRANSACTIONS,
    /**
     * Grants several locks in one step, all or none: nothing is held while one of them is awaited. With the other
     * strategies several locks are acquired one after another; see {@link LockStrategy#acquireAll}.
     */
    MULTI_LOCK
}
