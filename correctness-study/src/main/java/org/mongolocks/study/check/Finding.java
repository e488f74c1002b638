package org.mongolocks.study.check;

/** Is a kind of thing that must not happen. */
public enum Finding {
    /** Two held the lock for certain: each lease counts from its question, which is earlier than the server counts it. */
    HELD_TWICE,
    /** Two believed that they held the lock, at a moment when both could act on it. */
    BELIEVED_TWICE,
    /** A write of a holder that had been followed by another changed a resource that checks nothing. */
    STALE_UNFENCED,
    /** Such a write got past a fence that looks at writes only. */
    STALE_FENCED,
    /** Such a write got past a fence that looks at reads too. */
    STALE_TOUCH_FENCED,
    /** A write in a transaction that the lock guards was committed, though another had got the lock before. */
    STALE_GUARDED,
    /** A guarded write was told to be committed, and is gone. */
    GUARDED_LOST,
    /** A write was counted at the resource that checks nothing, and is not in its value. */
    UPDATE_LOST,
    /** Two grants had the same token. */
    TOKEN_REUSED,
    /** A grant that came later had a smaller token. */
    TOKEN_WENT_BACK,
    /** A release freed the lock of another. */
    FOREIGN_RELEASE,
    /** A lock that is entered several times was entered with another token, or freed before or after its last entry. */
    MISCOUNTED,
    /** Of two who stood in the queue the one behind got the lock first. */
    OUT_OF_TURN,
    /** Those who wanted several locks waited for each other, and nobody worked. */
    STUCK,
    /** Two wrote the protected document, and both had read the same version of it. */
    DOCUMENT_OVERWRITTEN,
    /** An attempt was refused though no other acquisition had the lock, asked for it, or may have been granted it. */
    HELD_BY_NOBODY,
    /** A lock that was released while others waited was granted to the next one too late. */
    SLOW_HANDOVER,
    /** Nobody had the lock any more, and nobody got it. */
    LEAK,
    /** A released lock was granted to its next holder later than the row allows. */
    HAND_OVER_LATE,
    /** The server discarded a lock, and its holder did not learn of that in the time that the row allows. */
    LOSS_NOTICED_LATE,
    /** An acquisition ended with an error in a row in which every message arrives. */
    ACQUIRE_FAILED,
    /** A client was built on a collection in which locks break, and asked for one. */
    NOT_REFUSED
}
