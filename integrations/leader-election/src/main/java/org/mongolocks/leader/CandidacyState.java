package org.mongolocks.leader;

/**
 * The state of a candidacy:
 *
 * <pre>{@code
 * WAITING -> LEADING <-> SUSPENDED
 *    ^          |            |
 *    |          v            v
 *    +---- HANDING_OVER <----+        any -> CLOSED
 * }</pre>
 */
public enum CandidacyState {
    /** It waits for the role, or pauses between two terms. */
    WAITING,
    /** It leads. */
    LEADING,
    /** It leads, but renewals fail. */
    SUSPENDED,
    /** Its term was revoked; the work of the term ends, and the role passes on. */
    HANDING_OVER,
    /** It has ended: it neither leads nor waits, and its work has ended. */
    CLOSED
}
