package org.mongolocks.internal;

/** Is told by a hold what changes for those who watch it; never in the hold's monitor. */
interface Watcher {
    /** Watches nothing. */
    Watcher NOBODY = new Watcher() {};

    /** The next time to look may have come nearer. */
    default void nearer() {}

    /** The lock was released or lost. */
    default void over() {}
}
