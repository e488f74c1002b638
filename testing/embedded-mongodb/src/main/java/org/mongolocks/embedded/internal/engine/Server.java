package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.InstantSource;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.cursor.Cursors;
import org.mongolocks.embedded.internal.oplog.ClusterClock;
import org.mongolocks.embedded.internal.state.Counters;
import org.mongolocks.embedded.internal.state.IdSource;
import org.mongolocks.embedded.internal.state.Parameters;
import org.mongolocks.embedded.internal.state.ServerConfig;
import org.mongolocks.embedded.internal.state.ServerSessions;
import org.mongolocks.embedded.internal.state.TopologyState;
import org.mongolocks.embedded.internal.state.Transactions;
import org.mongolocks.embedded.internal.work.LockTable;
import org.mongolocks.embedded.internal.work.Store;
import org.mongolocks.embedded.internal.work.Workspace;

/** The parts of a running server, for those who need more than one. */
public final class Server {
    private final ServerConfig config;
    private final IdSource ids;
    private final Store store;
    private final LockTable locks = new LockTable();
    private final Workspace direct;
    private final Parameters parameters;
    private final Counters counters = new Counters();
    private final FailPoints failPoints = new FailPoints();
    private final ServerSessions sessions;
    private final Transactions transactions;
    private final Waiting waiting = new Waiting();
    private final Cursors cursors;
    private final TopologyState topology;
    /** A date has milliseconds, and so has each time that is stored. */
    private final InstantSource clock;

    private Supplier<@Nullable Park> upsertPause = () -> null;
    private int term = 1;

    Server(ServerConfig config) {
        this.config = config;
        this.clock = () -> Instant.ofEpochMilli(config.clock().millis());
        this.ids = new IdSource(config.clock(), config.seed());
        this.topology = new TopologyState(ids.processId(), config.isReplicaSet());
        this.store = new Store(new ClusterClock(config.clock()), config.oplogCapacity());
        this.direct = new Workspace(store, locks, ids::uuid, null);
        this.parameters = new Parameters(config.ttlMonitorSeconds(), config.version());
        this.sessions = new ServerSessions(store);
        this.cursors = new Cursors(ids::cursorId);
        this.transactions = new Transactions(store, locks, parameters, cursors);
    }

    /** Sets what an upsert waits for between finding nothing and inserting; null for not at all. */
    public void pauseUpserts(Supplier<@Nullable Park> pause) {
        upsertPause = pause;
    }

    @Nullable
    Park upsertPause() {
        return upsertPause.get();
    }

    public ServerConfig config() {
        return config;
    }

    public InstantSource clock() {
        return clock;
    }

    /** The time now, in milliseconds. */
    public long now() {
        return config.clock().millis();
    }

    /** Goes on as a secondary until a time, in milliseconds; transactions do not survive that. */
    public void becomeSecondary(long until) {
        transactions.abortAll();
        topology.becomeSecondary(until);
    }

    void nextTerm() {
        term++;
    }

    public TopologyState topology() {
        return topology;
    }

    /** The place of the newest change in the history of the replica set. */
    public Document opTime() {
        return new Document("ts", store.oplog().last()).append("t", (long) term);
    }

    /** An id that grows with each election, so that drivers distinguish an old primary from a new one. */
    public ObjectId electionId() {
        return new ObjectId(
                ByteBuffer.allocate(12).putInt(0x7fffffff).putLong(term).array());
    }

    public IdSource ids() {
        return ids;
    }

    public Store store() {
        return store;
    }

    public LockTable locks() {
        return locks;
    }

    public Workspace direct() {
        return direct;
    }

    public Parameters parameters() {
        return parameters;
    }

    public Counters counters() {
        return counters;
    }

    public FailPoints failPoints() {
        return failPoints;
    }

    public ServerSessions sessions() {
        return sessions;
    }

    public Transactions transactions() {
        return transactions;
    }

    /** The commands that wait for something. */
    public Waiting waiting() {
        return waiting;
    }

    public Cursors cursors() {
        return cursors;
    }
}
