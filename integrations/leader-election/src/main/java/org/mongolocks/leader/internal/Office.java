package org.mongolocks.leader.internal;

import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.internal.LockPort.RoleLock;

/** The work and the listener of one candidate. No method blocks or throws. */
public interface Office {
    /**
     * Begins the work of a term.
     *
     * @param term the term, which has just begun
     * @param lock the lock of the term
     * @param ended must be called when the work has ended, by itself or because it was revoked
     * @return the running work
     */
    Work begin(Term term, RoleLock lock, Runnable ended);

    /**
     * Passes an event to the listener.
     *
     * @param event the event
     */
    void handle(LeaderEvent event);

    /** The running work of a term. */
    @FunctionalInterface
    interface Work {
        /** Requests that the work ends: called at most once. */
        void revoke();
    }
}
