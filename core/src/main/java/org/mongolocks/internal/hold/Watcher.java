package org.mongolocks.internal.hold;

/** An observer of a hold; never called in the hold's monitor. */
interface Watcher {
    /** An observer that does nothing. */
    Watcher NOBODY = new Watcher() {};

    /** Handles that the next check may be due earlier. */
    default void nearer() {}

    /** Handles that the lock was released or lost. */
    default void over() {}
}
