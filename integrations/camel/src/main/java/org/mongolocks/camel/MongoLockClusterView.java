package org.mongolocks.camel;

import static java.lang.System.Logger.Level.WARNING;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.camel.cluster.CamelClusterMember;
import org.apache.camel.cluster.CamelClusterService;
import org.apache.camel.support.cluster.AbstractCamelClusterView;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.Leader;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.sync.Candidacy;
import org.mongolocks.leader.sync.LeaderElection;

/** The view of one namespace: a candidacy while it is started. */
final class MongoLockClusterView extends AbstractCamelClusterView {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");

    private final LeaderElection election;
    private final Candidate candidate;
    private final LocalMember localMember = new LocalMember();
    private @Nullable Candidacy candidacy;
    /** The last term, from its own event: the candidacy may be elected before {@link #doStart} knows it. */
    private volatile @Nullable Term lastTerm;

    MongoLockClusterView(CamelClusterService service, String namespace, LeaderElection election, Candidate candidate) {
        super(service, namespace);
        this.election = election;
        this.candidate = candidate;
    }

    Optional<Term> term() {
        return Optional.ofNullable(lastTerm).filter(Term::isLeading);
    }

    @Override
    public Optional<CamelClusterMember> getLeader() {
        return localMember.isLeader() ? Optional.of(localMember) : otherLeader();
    }

    @Override
    public CamelClusterMember getLocalMember() {
        return localMember;
    }

    @Override
    public List<CamelClusterMember> getMembers() {
        return Stream.concat(Stream.of(localMember), otherLeader().stream()).toList();
    }

    @Override
    protected void doStart() {
        candidacy = election.start(candidate.id(localMember.getId()), this::publish);
    }

    /** Waits until the listeners have handled the end of the term, and the role is released. */
    @Override
    protected void doStop() {
        if (candidacy != null) {
            candidacy.close();
        }
    }

    private void publish(LeaderEvent event) {
        if (event instanceof LeaderEvent.Elected elected) {
            lastTerm = elected.term();
            fireLeadershipChangedEvent(localMember);
        } else if (event instanceof LeaderEvent.Revoked) {
            fireLeadershipChangedEvent((CamelClusterMember) null);
        }
    }

    /** The lock is also held by this instance while a term begins or ends: then no member leads. */
    private Optional<CamelClusterMember> otherLeader() {
        return stored().map(leader -> leader.candidate().orElse(leader.holder()))
                .filter(id -> !id.equals(localMember.getId()))
                .map(OtherLeader::new);
    }

    private Optional<Leader> stored() {
        try {
            return election.leader(candidate.role().value());
        } catch (LockException e) {
            LOG.log(WARNING, "The leader of namespace '" + getNamespace() + "' could not be read", e);
            return Optional.empty();
        }
    }

    /** The member of this instance. */
    private final class LocalMember implements CamelClusterMember {
        @Override
        public String getId() {
            return getClusterService().getId();
        }

        @Override
        public boolean isLeader() {
            return term().isPresent();
        }

        @Override
        public boolean isLocal() {
            return true;
        }

        @Override
        public String toString() {
            return getId();
        }
    }

    /** The leader that the server showed. */
    private record OtherLeader(String id) implements CamelClusterMember {
        @Override
        public String getId() {
            return id;
        }

        @Override
        public boolean isLeader() {
            return true;
        }

        @Override
        public boolean isLocal() {
            return false;
        }
    }
}
