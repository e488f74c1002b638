package org.mongolocks;

/** The reason why a lock is no longer held. */
public enum LossReason {
    /** The lease ended before it was renewed. The lock may be free or held by another owner by now. */
    EXPIRED,
    /**
     * Another owner has or had the lock since; or its document was changed or deleted from outside, as when the
     * collection is dropped or renamed.
     */
    TAKEN_OVER,
    /** A renewal was attempted, and the lease ended before any attempt was answered. */
    RENEWAL_FAILED,
    /** An operator force-released the lock. */
    FORCED,
    /** The client was closed, which releases its locks. */
    CLIENT_CLOSED
}
