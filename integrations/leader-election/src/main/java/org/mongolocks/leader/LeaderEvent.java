package org.mongolocks.leader;

import java.time.Duration;
import org.mongolocks.LockName;

/**
 * An event of one candidacy. The events of a term are {@link Elected}, then any number of {@link Suspended} and
 * {@link Resumed} alternately, then {@link Revoked}, each once. A listener that is slow sees them late:
 * {@link Term#isLeading()} is always current.
 */
public sealed interface LeaderEvent {
    /**
     * Returns the role.
     *
     * @return the name of the role
     */
    LockName role();

    /** An event of a term. */
    sealed interface OfTerm extends LeaderEvent {
        /**
         * Returns the term.
         *
         * @return the term
         */
        Term term();

        @Override
        default LockName role() {
            return term().role();
        }
    }

    /**
     * The candidate leads.
     *
     * @param term its term
     */
    record Elected(Term term) implements OfTerm {}

    /**
     * Renewals fail, and the term will be revoked soon unless one succeeds. Begin nothing that takes long.
     *
     * @param term the term
     * @param remaining how long the candidate still leads without a renewal
     */
    record Suspended(Term term, Duration remaining) implements OfTerm {}

    /**
     * A renewal has succeeded after {@link Suspended}.
     *
     * @param term the term
     */
    record Resumed(Term term) implements OfTerm {}

    /**
     * The candidate does not lead any more. Stop the work of the term before the grace is over.
     *
     * @param term the term
     * @param revocation why it has ended, and the grace
     */
    record Revoked(Term term, Revocation revocation) implements OfTerm {}

    /**
     * A request for the role failed. The candidate asks again after its {@linkplain Candidate#pause pause}.
     *
     * @param role the name of the role
     * @param error the failure, usually a {@link org.mongolocks.LockException}
     */
    record Failed(LockName role, RuntimeException error) implements LeaderEvent {}
}
