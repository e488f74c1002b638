package org.mongolocks.internal.hold;

/** An observer of a hold; never called in the hold's monitor. */
interface HoldObserver {
    /** An observer that does nothing. */
    HoldObserver NOBODY = new HoldObserver() {};

    /** Handles that the next check may be due earlier. */
    default void nearer() {}

    /** Handles that the lock was released or lost. */
    default void over() {}
}
