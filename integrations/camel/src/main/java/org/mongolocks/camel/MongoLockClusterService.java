package org.mongolocks.camel;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import org.apache.camel.cluster.CamelClusterView;
import org.apache.camel.support.cluster.AbstractCamelClusterService;
import org.mongolocks.leader.Candidate;
import org.mongolocks.leader.Term;
import org.mongolocks.leader.sync.LeaderElection;

/**
 * A cluster service of Camel on a {@link LeaderElection}: a route of the component {@code master}, or one with a
 * {@code ClusteredRoutePolicy}, runs on one instance at a time.
 *
 * <pre>{@code
 * LeaderElection election = LeaderElection.with(locks);
 * camel.addService(
 *         new MongoLockClusterService(election, namespace -> Candidate.of(namespace, Duration.ofSeconds(30))));
 * // from("master:orders:file:inbox")
 * }</pre>
 *
 * <p>A namespace is a role: of all instances that use it, one leads. Its view is a candidate while it and the Camel
 * context are started, which Camel does when the first route uses it, and is one no more when the last of these routes has
 * released it, or the service is stopped. An instance whose routes are suspended stays the leader.
 *
 * <p>The listeners of a view are notified on a thread of the election when its term begins and when it is revoked. That
 * is before another instance can lead: the role passes on when the listeners have returned, which is when they have
 * stopped their consumers, or the {@linkplain org.mongolocks.leader.Revocation#grace() grace} is over. After a crash of
 * the leader another instance leads within one ttl. A leader whose process is paused can process a message after its
 * lease has ended: write with the fencing token of {@link #term}, and refuse smaller ones.
 *
 * <p>The members that a view knows are the local one and the leader; see {@link CamelClusterView#getMembers()}. The
 * leader is read from the server, in one round trip, unless it is the local member; a failed read is logged, and there is
 * no leader then. If the lock client is closed, the local member leads no more until the service is created again.
 * Thread-safe.
 */
public final class MongoLockClusterService extends AbstractCamelClusterService<CamelClusterView> {
    private final LeaderElection election;
    private final Function<String, Candidate> candidates;
    private final Map<String, MongoLockClusterView> views = new ConcurrentHashMap<>();

    /**
     * Creates a service, which the caller adds to the Camel context. Its id, which is also that of the local member, is
     * a random UUID unless {@link #setId} sets another one before the first view starts. The ids of all instances must
     * be different.
     *
     * @param election the election; the caller closes it after the Camel context was stopped, and then the lock client
     * @param candidates returns the candidate for a namespace, for example one whose role has a prefix. The id of the
     *     service takes the place of the candidate's.
     */
    public MongoLockClusterService(LeaderElection election, Function<String, Candidate> candidates) {
        super(UUID.randomUUID().toString());
        this.election = Objects.requireNonNull(election, "The leader election is null");
        this.candidates = Objects.requireNonNull(candidates, "The function of candidates is null");
    }

    /**
     * Returns the current term of the local member, whose fencing token guards what a route writes. No round trip.
     *
     * @param namespace the namespace
     * @return the term; empty while the local member does not lead, and for a namespace that no route uses
     */
    public Optional<Term> term(String namespace) {
        return Optional.ofNullable(views.get(namespace)).flatMap(MongoLockClusterView::term);
    }

    /**
     * Creates the view of a namespace, for Camel.
     *
     * @param namespace the namespace
     * @return the view
     * @throws IllegalArgumentException if the candidate for it has a name or times that are out of bounds
     */
    @Override
    protected CamelClusterView createView(String namespace) {
        Candidate candidate = Objects.requireNonNull(
                candidates.apply(namespace), () -> "The candidate for namespace '" + namespace + "' is null");
        MongoLockClusterView view = new MongoLockClusterView(this, namespace, election, candidate);
        views.put(namespace, view);
        return view;
    }
}
