package org.mongolocks.leader.internal;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.internal.LockPort.RoleLock;

/** The work and the listener of one candidate. No method blocks or throws. */
public interface Office {
    /** The log of leader elections. */
    System.Logger LOG = System.getLogger("org.mongolocks");

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

    /**
     * Logs how work has ended with an exception: a failure while the term lasted, its stop afterwards.
     *
     * @param term the term
     * @param error the exception
     */
    static void ended(Term term, Throwable error) {
        if (term.isLeading()) {
            LOG.log(WARNING, "The work of " + term + " failed", error);
        } else {
            LOG.log(INFO, "The work of " + term + " has stopped after the end of the term: " + error);
        }
    }

    /** The running work of a term. */
    @FunctionalInterface
    interface Work {
        /** Requests that the work ends: called at most once. */
        void revoke();
    }
}
