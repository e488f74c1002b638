package org.mongolocks.leader;

import java.time.Duration;
import java.util.Optional;
import org.mongolocks.LockName;

/**
 * One term of a leader: from its election until it is revoked. Thread-safe. The library implements it.
 *
 * <p>To lead is advisory: work that goes on after the revocation is not stopped by the database. Write data with
 * {@link #fencingToken()}, for example by {@code FencedCollection.of(collection, Fence.of(term.fencingToken()))}, and
 * refuse smaller tokens.
 */
public interface Term {
    /**
     * Returns the role.
     *
     * @return the name of the role, and of its lock
     */
    LockName role();

    /**
     * Returns the fencing token of this term: larger than those of all earlier terms of the role. No round trip.
     *
     * @return the token, at least 1
     */
    long fencingToken();

    /**
     * Returns whether the candidate leads, by this JVM's clock. Once false it stays false, also if the lease is renewed
     * later. No round trip. It describes the past, as {@code HeldLock.isHeld()} does: check {@link #remaining()} before
     * a step that takes long.
     *
     * @return false when the term is revoked, or so little of the lease is left that it will be
     */
    boolean isLeading();

    /**
     * Returns how long the candidate leads if no further renewal succeeds. No round trip.
     *
     * @return the time left; zero once the term is revoked
     */
    Duration remaining();

    /**
     * Returns why the term has ended.
     *
     * @return the revocation; empty while the term lasts
     */
    Optional<Revocation> revocation();

    /**
     * Ends this term, so that another candidate can lead; see {@link Candidate#pause} and {@link Candidate#fair} for
     * when this one asks again. It does not wait: the work is interrupted or cancelled, also if it calls this itself,
     * and the role passes on when the work has ended, or its grace is over. No effect on a term that has ended.
     */
    void resign();
}
