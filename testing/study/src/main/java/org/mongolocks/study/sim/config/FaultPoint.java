package org.mongolocks.study.sim.config;

/** A fault point in the life of a holder. */
public enum FaultPoint {
    /** It has just been granted the lock. */
    GRANTED,
    /** It has read the resources. */
    WORKING,
    /** It has checked that the lock is still held, and is about to write. */
    CHECKED,
    /** A guarded transaction is open, and has touched the lock. */
    GUARDED,
    /** It is about to release. */
    DONE
}
