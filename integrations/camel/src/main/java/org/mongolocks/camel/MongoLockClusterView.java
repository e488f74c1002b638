package org.mongolocks.camel;

import static java.lang.System.Logger.Level.WARNING;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.apache.camel.CamelContext;
import org.apache.camel.StartupListener;
import org.apache.camel.cluster.CamelClusterEventListener;
import org.apache.camel.cluster.CamelClusterMember;
import org.apache.camel.cluster.CamelClusterService;
import org.apache.camel.support.cluster.AbstractCamelClusterView;
import org.jspecify.annotations.Nullable;
import org.mongolocks.LockException;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.LeaderEvent;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.sync.Candidacy;
import org.mongolocks.leader.sync.LeaderElection;

/**
 * The view of one namespace: a candidacy while it is started. It notifies its listeners without the lock of Camel's class:
 * a route policy that is stopped, and removes its listener, would wait for a listener that waits for that policy. And one
 * that fails does not keep the others from stopping their routes.
 */
final class MongoLockClusterView extends AbstractCamelClusterView {
    private static final System.Logger LOG = System.getLogger("org.mongolocks");
    private static final String ROUTE_POLICY = "org.apache.camel.impl.cluster.ClusteredRoutePolicy";

    private final LeaderElection election;
    private final Candidate candidate;
    private final Member localMember = new Member(Optional.empty());
    private final List<CamelClusterEventListener> listeners = new CopyOnWriteArrayList<>();
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

    /** A route policy that sees its election before the context has started never starts its routes. */
    @Override
    protected void doStart() throws Exception {
        CamelContext context = getCamelContext();
        if (context == null || context.isSuspended()) {
            begin();
        } else {
            context.addStartupListener(new StartupListener() {
                @Override
                public void onCamelContextStarted(CamelContext started, boolean alreadyStarted) {
                    if (alreadyStarted) {
                        begin();
                    }
                }

                @Override
                public void onCamelContextFullyStarted(CamelContext started, boolean alreadyStarted) {
                    begin();
                }
            });
        }
    }

    private synchronized void begin() {
        if (candidacy == null && isRunAllowed()) {
            candidacy = election.start(candidate.id(localMember.getId()), this::publish);
        }
    }

    /** Waits until the listeners have handled the end of the term, and the role is released. */
    @Override
    protected void doStop() {
        ended().ifPresent(Candidacy::close);
    }

    private synchronized Optional<Candidacy> ended() {
        Optional<Candidacy> last = Optional.ofNullable(candidacy);
        candidacy = null;
        return last;
    }

    @Override
    public void addEventListener(@Nullable CamelClusterEventListener listener) {
        if (listener == null) {
            return;
        }
        synchronized (listener) {
            listeners.add(listener);
            if (isRunAllowed()) {
                notify(listener, getLeader().orElse(null));
            }
        }
        if (isRunAllowed() && listener instanceof CamelClusterEventListener.Membership members) {
            getMembers().forEach(member -> members.memberAdded(this, member));
        }
    }

    @Override
    public void removeEventListener(@Nullable CamelClusterEventListener listener) {
        listeners.remove(listener);
    }

    private void publish(LeaderEvent event) {
        if (event instanceof LeaderEvent.Elected elected) {
            lastTerm = elected.term();
            listeners.forEach(listener -> notify(listener, localMember));
        } else if (event instanceof LeaderEvent.Revoked) {
            listeners.forEach(listener -> notify(listener, null));
        }
    }

    /** Notifies one listener of one change at a time, so that the last one that it sees is the last one. */
    private void notify(CamelClusterEventListener listener, @Nullable CamelClusterMember leader) {
        synchronized (listener) {
            try {
                if (listener instanceof CamelClusterEventListener.Leadership leadership
                        && !isStoppedBesides(listener)) {
                    leadership.leadershipChanged(this, leader);
                }
            } catch (RuntimeException e) {
                LOG.log(WARNING, "A listener of namespace '" + getNamespace() + "' failed", e);
            }
        }
    }

    /**
     * Returns whether the context stops the routes of a listener itself. A route policy that stopped them too would hold its
     * lock and wait for that of a route, and the context the other way round.
     */
    private boolean isStoppedBesides(CamelClusterEventListener listener) {
        CamelContext context = getCamelContext();
        return context != null
                && (context.isStopping() || context.isStopped())
                && listener.getClass().getNestHost().getName().equals(ROUTE_POLICY);
    }

    /** The lock is also held by this instance while a term begins or ends: then no member leads. */
    private Optional<CamelClusterMember> otherLeader() {
        try {
            return election.leader(candidate.role().value())
                    .map(leader -> leader.candidate().orElse(leader.holder()))
                    .filter(id -> !id.equals(localMember.getId()))
                    .map(id -> new Member(Optional.of(id)));
        } catch (LockException e) {
            LOG.log(WARNING, "The leader of namespace '" + getNamespace() + "' could not be read", e);
            return Optional.empty();
        }
    }

    /** A member: this instance, or the leader that the server showed. */
    private final class Member implements CamelClusterMember {
        private final Optional<String> other;

        Member(Optional<String> other) {
            this.other = other;
        }

        @Override
        public String getId() {
            return other.orElseGet(getClusterService()::getId);
        }

        @Override
        public boolean isLeader() {
            return !isLocal() || term().isPresent();
        }

        @Override
        public boolean isLocal() {
            return other.isEmpty();
        }

        @Override
        public String toString() {
            return getId();
        }
    }
}
