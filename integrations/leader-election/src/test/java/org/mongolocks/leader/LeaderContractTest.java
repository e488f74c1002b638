package org.mongolocks.leader;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.mongolocks.contract.integration.ApplicationClients;
import org.mongolocks.contract.integration.IntegrationContract;
import org.mongolocks.contract.integration.LockIntegration;
import org.mongolocks.contract.integration.NamedModuleContract;
import org.mongolocks.leader.Revocation.Reason;
import org.mongolocks.leader.internal.ElectionTimer;
import org.mongolocks.leader.sync.Candidacy;
import org.mongolocks.leader.sync.LeaderElection;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.sync.LockClient;

/** The contract of integrations, on the work of leaders; a candidate that finds another leader withdraws. */
class LeaderContractTest extends IntegrationContract implements NamedModuleContract {
    @Override
    protected LockIntegration integration() {
        return new Elections();
    }

    /** Work of a leader fails into the log; it is no call that can be repeated inside of itself. */
    private static final class Elections implements LockIntegration {
        @Override
        public Set<Capability> capabilities() {
            return EnumSet.complementOf(EnumSet.of(Capability.PASSES_FAILURES, Capability.REENTRY));
        }

        @Override
        public Application open(ApplicationClients clients) throws Exception {
            LockClient client = clients.sync();
            LeaderElection election = ElectionTimer.with(clients.timer(), () -> LeaderElection.with(client));
            return new ElectingApplication(client, election);
        }
    }

    private record ElectingApplication(LockClient client, LeaderElection election)
            implements LockIntegration.Application {
        private static final Set<Reason> LOSSES =
                EnumSet.of(Reason.LAPSING, Reason.LAPSED, Reason.FORCED, Reason.TAKEN_OVER, Reason.CLIENT_CLOSED);

        @Override
        public LockIntegration.Outcome run(String role, LockIntegration.Work work) throws Exception {
            Candidate candidate = Candidate.of(role, ApplicationClients.TTL)
                    .id(UUID.randomUUID().toString())
                    .once();
            OneTerm term = new OneTerm(work);
            Candidacy candidacy = election.lead(candidate, term::lead, term::handle);
            try {
                Eventually.isTrue(
                        "the candidate leads, or another one does",
                        () -> term.hasBegun() || (isLedByAnother(candidate) && term.withdraw()));
                return term.hasBegun() ? outcome(term.end()) : LockIntegration.Outcome.REFUSED;
            } finally {
                candidacy.close();
            }
        }

        private static LockIntegration.Outcome outcome(Reason end) {
            return LOSSES.contains(end) ? LockIntegration.Outcome.LOST : LockIntegration.Outcome.RAN;
        }

        private boolean isLedByAnother(Candidate candidate) throws InterruptedException {
            return election.leader(candidate.role().value()).flatMap(Leader::candidate).stream()
                    .anyMatch(leader -> !candidate.id().equals(Optional.of(leader)));
        }

        @Override
        public void close() {
            election.close();
            client.close();
        }
    }

    /** The term of a candidate, which begins if it has not withdrawn before. */
    private static final class OneTerm {
        private final LockIntegration.Work work;
        private final AtomicReference<Beginning> beginning = new AtomicReference<>(Beginning.AWAITED);
        private final CompletableFuture<Reason> end = new CompletableFuture<>();

        OneTerm(LockIntegration.Work work) {
            this.work = work;
        }

        private enum Beginning {
            AWAITED,
            BEGUN,
            WITHDRAWN
        }

        void lead(Term term) throws Exception {
            if (beginning.compareAndSet(Beginning.AWAITED, Beginning.BEGUN)) {
                work.run(new LockIntegration.Grant(term.fencingToken(), term::isLeading));
            }
        }

        boolean hasBegun() {
            return beginning.get() == Beginning.BEGUN;
        }

        boolean withdraw() {
            return beginning.compareAndSet(Beginning.AWAITED, Beginning.WITHDRAWN);
        }

        void handle(LeaderEvent event) {
            if (event instanceof LeaderEvent.Revoked revoked) {
                end.complete(revoked.revocation().reason());
            }
        }

        Reason end() throws Exception {
            return end.get();
        }
    }
}
