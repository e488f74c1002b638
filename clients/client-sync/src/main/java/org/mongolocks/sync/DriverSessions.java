package org.mongolocks.sync;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoDatabase;
import org.jspecify.annotations.Nullable;
import org.mongolocks.internal.run.ClientRuns;
import org.mongolocks.internal.run.DriverOptions;

/**
 * The sessions on the driver's client of the user, each with the database of the same client. Below a proxy of the user
 * the client may be replaced between any two calls, and the driver refuses a session of another client. Thread-safe.
 */
final class DriverSessions {
    /** A client is not replaced more often while one session is opened. */
    private static final int MAX_TRIES = 3;

    private final MongoClient mongo;
    private final String database;
    private final ClientRuns runs;
    private volatile @Nullable Target newest;

    /** What the driver's client is at present. */
    private record Target(Object originator, MongoDatabase database) {}

    /** A session, and the database to use it with. */
    record Opened(ClientSession session, MongoDatabase database) {}

    DriverSessions(MongoClient mongo, String database, ClientRuns runs) {
        this.mongo = mongo;
        this.database = database;
        this.runs = runs;
    }

    /** Opens a session; nothing is sent. Throws the driver's {@code IllegalStateException} if its client is closed. */
    Opened open() {
        ClientSession session = start();
        Target known = newest;
        if (known != null && known.originator == session.getOriginator()) {
            return new Opened(session, known.database);
        }
        session.close();
        return open(MAX_TRIES);
    }

    private Opened open(int tries) {
        ClientSession before = start();
        MongoDatabase made = otherDatabase(database);
        ClientSession session = start();
        before.close();
        if (session.getOriginator() != before.getOriginator() && tries > 1) {
            session.close();
            return open(tries - 1);
        }
        if (newest != null) {
            runs.driverReplaced();
        }
        newest = new Target(session.getOriginator(), made);
        return new Opened(session, made);
    }

    /** A client that is closed while it opens the session may be replaced. */
    private ClientSession start() {
        try {
            return startOnce();
        } catch (IllegalStateException e) {
            return startOnce();
        }
    }

    private ClientSession startOnce() {
        ClientSession session = mongo.startSession(DriverOptions.SESSION);
        session.getServerSession();
        return session;
    }

    /**
     * Returns whether the client that has opened a session was replaced. Throws the driver's {@code IllegalStateException}
     * if the client is closed.
     */
    boolean isReplaced(ClientSession session) {
        try (ClientSession other = start()) {
            return other.getOriginator() != session.getOriginator();
        }
    }

    /** Returns a database of the user, as the driver's client is at present. */
    MongoDatabase otherDatabase(String name) {
        return SyncPort.durable(mongo.getDatabase(name), runs.commandTimeout());
    }
}
