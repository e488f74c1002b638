package org.mongolocks.embedded.internal.engine;

import java.time.InstantSource;
import org.mongolocks.embedded.internal.cursor.Cursors;
import org.mongolocks.embedded.internal.oplog.ClusterClock;
import org.mongolocks.embedded.internal.work.DirectWorkspace;
import org.mongolocks.embedded.internal.work.LockTable;
import org.mongolocks.embedded.internal.work.Store;

/** The parts of a running server, for those who need more than one. */
public final class Server {
    private final ServerConfig config;
    private final IdSource ids;
    private final Store store;
    private final LockTable locks = new LockTable();
    private final DirectWorkspace direct;
    private final Parameters parameters;
    private final Counters counters = new Counters();
    private final FailPoints failPoints = new FailPoints();
    private final Sessions sessions;
    private final Transactions transactions;
    private final Cursors cursors;
    private final long startedAt;
    private int term = 1;

    Server(ServerConfig config) {
        this.config = config;
        this.startedAt = config.clock().millis();
        this.ids = new IdSource(config.clock(), config.seed());
        this.store = new Store(new ClusterClock(config.clock()), config.oplogCapacity());
        this.direct = new DirectWorkspace(store, locks, ids::uuid);
        this.parameters = new Parameters(config.ttlMonitorSeconds());
        this.sessions = new Sessions(store);
        this.cursors = new Cursors(ids::cursorId);
        this.transactions = new Transactions(store, locks, parameters, cursors);
    }

    public ServerConfig config() {
        return config;
    }

    public InstantSource clock() {
        return config.clock();
    }

    /** The time now, in milliseconds. */
    public long now() {
        return config.clock().millis();
    }

    public long startedAt() {
        return startedAt;
    }

    /** How often there was an election, the first one included. */
    public int term() {
        return term;
    }

    void nextTerm() {
        term++;
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

    public DirectWorkspace direct() {
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

    public Sessions sessions() {
        return sessions;
    }

    public Transactions transactions() {
        return transactions;
    }

    public Cursors cursors() {
        return cursors;
    }
}
