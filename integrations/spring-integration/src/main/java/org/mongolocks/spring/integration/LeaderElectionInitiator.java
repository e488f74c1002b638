package org.mongolocks.spring.integration;

import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.mongolocks.leader.CandidacyState;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.sync.Candidacy;
import org.mongolocks.leader.sync.LeaderElection;
import org.springframework.context.SmartLifecycle;
import org.springframework.integration.leader.Context;
import org.springframework.integration.leader.event.LeaderEventPublisher;

/**
 * A candidate of a {@link LeaderElection} that publishes its events as those of Spring Integration, in the place of
 * {@code LockRegistryLeaderInitiator}: it does not poll, and revokes before another candidate can lead.
 *
 * <pre>{@code
 * @Bean
 * LeaderElection election(LockClient locks) {
 *     return LeaderElection.with(locks);
 * }
 *
 * @Bean
 * LeaderElectionInitiator reports(LeaderElection election, ApplicationEventPublisher events) {
 *     Candidate candidate = Candidate.of("reports", Duration.ofSeconds(30));
 *     return new LeaderElectionInitiator(election, candidate, new DefaultLeaderEventPublisher(events));
 * }
 * }</pre>
 *
 * <p>Each term has one granted event and one revoked event, in this order, on a thread of the election, with the name
 * of the role and a {@link TermContext}. So {@code SmartLifecycleRoleController} starts and stops the endpoints of the
 * role. {@link Context#isLeader()} is false before the revoked event is published, and as soon as so little of the
 * lease is left that the term will be revoked. The role passes on when the revoked event was handled, or its grace is
 * over: a listener that stops the work of the term returns when it has stopped. {@link Context#yield()} resigns. Each
 * failed request for the role is an event of {@link LeaderEventPublisher#publishOnFailedToAcquire}; waiting while
 * another candidate leads is none.
 *
 * <p>It is a candidate while the lifecycle runs: the default phase starts it last and stops it first. Thread-safe.
 */
public final class LeaderElectionInitiator implements SmartLifecycle {
    private final LeaderElection election;
    private final Candidate candidate;
    private final LeaderEventPublisher publisher;
    private @Nullable Candidacy candidacy;

    /**
     * Creates an initiator that is not running.
     *
     * @param election the election; the caller closes it, after this initiator was stopped
     * @param candidate the candidate
     * @param publisher publishes the events, usually a {@code DefaultLeaderEventPublisher}. It may block. An exception
     *     of it is logged; the term goes on.
     */
    public LeaderElectionInitiator(LeaderElection election, Candidate candidate, LeaderEventPublisher publisher) {
        this.election = Objects.requireNonNull(election, "The leader election is null");
        this.candidate = Objects.requireNonNull(candidate, "The candidate is null");
        this.publisher = Objects.requireNonNull(publisher, "The publisher of leader events is null");
    }

    /**
     * The context of one term, which its events have.
     *
     * @param term the term; write data with its {@linkplain Term#fencingToken() fencing token}
     */
    public record TermContext(Term term) implements Context {
        /** Returns whether the candidate leads, as {@link Term#isLeading()} does. */
        @Override
        public boolean isLeader() {
            return term.isLeading();
        }

        /** Ends the term, as {@link Term#resign()} does; the candidate asks again after its pause. */
        @Override
        public void yield() {
            term.resign();
        }

        @Override
        public String getRole() {
            return term.role().value();
        }
    }

    /** The context of a candidate that does not lead. */
    private record Waiting(String role) implements Context {
        @Override
        public boolean isLeader() {
            return false;
        }

        @Override
        public String getRole() {
            return role;
        }
    }

    /**
     * Starts a candidacy; no effect while one runs. No round trip.
     *
     * @throws IllegalStateException if the election is closed
     */
    @Override
    public synchronized void start() {
        if (!isRunning()) {
            candidacy = election.start(candidate, this::publish);
        }
    }

    /**
     * Ends the candidacy. A leader is revoked, and this call waits until the revoked event was handled and the role is
     * released, at most for the close timeout of the election. A listener of the events may call it; it does not wait
     * then. No effect if it does not run.
     */
    @Override
    public void stop() {
        ended().ifPresent(Candidacy::close);
    }

    /** Returns whether the candidacy goes on: it was started, and neither stopped nor ended by its last term. */
    @Override
    public boolean isRunning() {
        return running().isPresent();
    }

    /**
     * Returns the context of the current term.
     *
     * @return the context; while the candidate does not lead, one whose {@link Context#isLeader()} is always false
     */
    public Context getContext() {
        return running().flatMap(Candidacy::term).<Context>map(TermContext::new).orElseGet(() -> new Waiting(role()));
    }

    /** Returns a description for logs. */
    @Override
    public String toString() {
        return "the initiator of the role '" + role() + "'";
    }

    private synchronized Optional<Candidacy> ended() {
        Optional<Candidacy> last = running();
        candidacy = null;
        return last;
    }

    private synchronized Optional<Candidacy> running() {
        return Optional.ofNullable(candidacy).filter(started -> started.state() != CandidacyState.CLOSED);
    }

    private void publish(LeaderEvent event) {
        if (event instanceof LeaderEvent.Elected elected) {
            publisher.publishOnGranted(this, new TermContext(elected.term()), role());
        } else if (event instanceof LeaderEvent.Revoked revoked) {
            publisher.publishOnRevoked(this, new TermContext(revoked.term()), role());
        } else if (event instanceof LeaderEvent.Failed) {
            publisher.publishOnFailedToAcquire(this, getContext(), role());
        }
    }

    private String role() {
        return candidate.role().value();
    }
}
