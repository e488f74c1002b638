package org.mongolocks;

/** Says why a lock is no longer held. */
public enum LossReason {
    /** The lease ended before it was renewed. Another may hold the lock by now, or nobody. */
    EXPIRED,
    /** The lease had ended, and another has acquired the lock since. */
    TAKEN_OVER,
    /** A renewal was tried, and the lease ended before one was answered. */
    RENEWAL_FAILED,
    /** An operator forced the lock free. */
    FORCED,
    /** The client was closed, which gives back what it holds. */
    CLIENT_CLOSED
}
