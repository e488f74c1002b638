package org.mongolocks.study.simulation;

/** Is a moment in the life of a holder at which something may go wrong. */
public enum Moment {
    /** It has just learnt that it has the lock. */
    GRANTED,
    /** It has read the resources. */
    WORKING,
    /** It has seen that the lock is still held, and is about to write. */
    CHECKED,
    /** A transaction that the lock guards is open, and has touched the lock. */
    GUARDED,
    /** It is about to release. */
    DONE
}
