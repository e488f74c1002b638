package org.mongolocks.leader.internal;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import java.util.function.Consumer;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.internal.LockPort.RoleLock;

/** The work and the listener of one candidate. No method blocks or throws. */
public interface CandidateWork {
    /** The log of leader elections. */
    System.Logger LOG = System.getLogger("org.mongolocks");

    /**
     * Begins the work of a term.
     *
     * @param ended must be called when the work has ended, by itself or because it was revoked
     */
    Running begin(Term term, RoleLock lock, Runnable ended);

    /** Passes an event to the listener. */
    void handle(LeaderEvent event);

    /** Logs how work has ended with an exception: a failure while the term lasted, its stop afterwards. */
    static void ended(Term term, Throwable error) {
        if (term.isLeading()) {
            LOG.log(WARNING, "The work of " + term + " failed", error);
        } else {
            LOG.log(INFO, "The work of " + term + " has stopped after the end of the term: " + error);
        }
    }

    /**
     * Returns the work of a candidate whose listener does it: it has ended when the listener has handled the end.
     *
     * @param events runs the listener
     * @param listener handles the events, and may block
     */
    static CandidateWork of(Turns events, Consumer<LeaderEvent> listener) {
        return new CandidateWork() {
            @Override
            public Running begin(Term term, RoleLock lock, Runnable ended) {
                return () -> events.add(ended);
            }

            @Override
            public void handle(LeaderEvent event) {
                events.add(() -> listener.accept(event));
            }
        };
    }

    /** The running work of a term. */
    @FunctionalInterface
    interface Running {
        /** Requests that the work ends: called at most once. */
        void revoke();
    }
}
