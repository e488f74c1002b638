package org.mongolocks.benchmarks.run;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.gt;
import static com.mongodb.client.model.Filters.or;
import static com.mongodb.client.model.Filters.regex;
import static java.lang.System.Logger.Level.DEBUG;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterType;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.regex.Pattern;
import org.bson.BsonTimestamp;
import org.bson.Document;
import org.mongolocks.benchmarks.driver.Driver;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.reporting.server.Target;
import org.mongolocks.reporting.server.UnusableInputException;

/**
 * The environment of one run: its connections and collections. The protected data has a connection pool of its own. All collections are new, and are dropped on close.
 */
public final class RunEnvironment implements AutoCloseable {
    /** The database of all runs. */
    public static final String DATABASE = "mongo_locks_compare";
    /** Longer than any part of a run, so that a lease expires only in case of an error. */
    public static final Duration TTL = Duration.ofMinutes(1);

    private static final System.Logger LOG = System.getLogger("org.mongolocks.benchmarks");

    private final Target server;
    private final MongoClient data;
    private final Map<Client, Driver> drivers = new EnumMap<>(Client.class);
    private final String prefix = "run-" + UUID.randomUUID() + ".";

    public RunEnvironment(Target server) {
        this.server = server;
        this.data = MongoClients.create(server.settings().build());
    }

    /** Returns the full name of a collection of this run. */
    public String name(String collection) {
        return prefix + collection;
    }

    /** Returns settings for another client of the server. */
    public MongoClientSettings.Builder settings() {
        return server.settings();
    }

    /** Returns the connection string of the server, which may contain secrets. */
    public String uri() {
        return server.connectionString().getConnectionString();
    }

    /** Returns a collection of this run, through connections whose commands are not counted. */
    public MongoCollection<Document> collection(String collection) {
        return database().getCollection(name(collection));
    }

    /** Returns a driver with its own pool, whose commands are not counted; the same instance on each call. */
    public Driver driver(Client client) {
        return drivers.computeIfAbsent(
                client, driver -> Driver.open(driver, server.settings().build(), DATABASE));
    }

    /** Opens a driver with its own pool and a command listener. The caller closes it. */
    public Driver driver(Client client, CommandListener listener) {
        return Driver.open(
                client, server.settings().addCommandListener(listener).build(), DATABASE);
    }

    /** Returns the oplog of the server, restricted to this run. */
    public OplogReader oplog() {
        return new OplogReader(data, DATABASE + "." + prefix);
    }

    /** Creates data to be protected by a lock of a contender. */
    public ProtectedData protectedData(String contender) {
        return new ProtectedData(collection("data"), contender + "-" + UUID.randomUUID());
    }

    /** Returns whether the server is neither a replica set nor a sharded cluster. */
    public boolean isStandalone() {
        return data.getClusterDescription().getType() == ClusterType.STANDALONE;
    }

    /** Checks that the server still answers. */
    void requireServer() {
        server.requireAnswer(data);
    }

    /** Returns an exception that explains why the server is unusable. */
    UnusableInputException complaint(MongoException e) {
        return server.complaint(data, e);
    }

    @Override
    public void close() {
        try (data) {
            drivers.values().forEach(Driver::close);
            dropCollections();
        }
    }

    /**
     * Drops the collections. A failure is only logged: if the server is unavailable, the run has already failed for
     * that reason.
     */
    private void dropCollections() {
        try {
            for (String collection : database().listCollectionNames()) {
                if (collection.startsWith(prefix)) {
                    database().getCollection(collection).drop();
                }
            }
        } catch (MongoException e) {
            LOG.log(DEBUG, "Could not drop the collections " + prefix + "* of database " + DATABASE, e);
        }
    }

    private MongoDatabase database() {
        return data.getDatabase(DATABASE);
    }

    /** The oplog of the server, restricted to the entries of this run. */
    public static final class OplogReader {
        private static final Document PING = new Document("ping", 1);

        private final MongoCollection<Document> entries;
        private final MongoDatabase admin;
        private final Pattern ours;

        OplogReader(MongoClient mongo, String prefix) {
            this.entries = mongo.getDatabase("local").getCollection("oplog.rs");
            this.admin = mongo.getDatabase("admin");
            this.ours = Pattern.compile("^" + Pattern.quote(prefix));
        }

        /**
         * Returns the time of its end.
         *
         * @return empty if the server has no oplog
         * @throws com.mongodb.MongoException if reading is not permitted
         */
        public Optional<BsonTimestamp> end() {
            return Optional.ofNullable(entries.find().first())
                    .map(entry -> admin.runCommand(PING).get("operationTime", BsonTimestamp.class));
        }

        /** Returns the number of entries after a time. A transaction counts as one entry. */
        public long countSince(BsonTimestamp time) {
            return entries.countDocuments(and(gt("ts", time), or(regex("ns", ours), regex("o.applyOps.ns", ours))));
        }
    }

    /**
     * A counter of the commands that a client sends, including retries, commits and aborts. Commands that the driver
     * sends on its own, to monitor the server or to open a connection, are not counted.
     */
    public static final class CommandCounter implements CommandListener {
        private final AtomicLong commands = new AtomicLong();

        @Override
        public void commandStarted(CommandStartedEvent event) {
            commands.incrementAndGet();
        }

        /** Returns the number of commands so far. */
        public long count() {
            return commands.get();
        }
    }
}
