package org.mongolocks.benchmarks.measure;

import static java.lang.System.Logger.Level.DEBUG;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterType;
import com.mongodb.event.CommandListener;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.UUID;
import org.bson.Document;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.benchmarks.client.Side;
import org.mongolocks.benchmarks.console.UnusableInputException;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.rival.Waiting;
import org.mongolocks.benchmarks.server.TargetServer;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.LockClient;

/**
 * Has the connections and the collections of one run. Locks and floor share one pool of connections, whose commands are
 * counted; the protected data is reached through another. All collections are new, and gone when it is closed.
 */
public final class Workbench implements AutoCloseable {
    /** The database of all runs. */
    public static final String DATABASE = "mongo_locks_compare";
    /** Longer than any part of a run, so that no lease ends in it unless something is wrong. */
    public static final Duration TTL = Duration.ofMinutes(1);

    private static final System.Logger LOG = System.getLogger("org.mongolocks.benchmarks");

    private final TargetServer server;
    private final CommandCounter commands = new CommandCounter();
    private final MongoClient locks;
    private final MongoClient data;
    private final Map<Client, Side> sides = new EnumMap<>(Client.class);
    private final String prefix = "run-" + UUID.randomUUID() + ".";

    public Workbench(TargetServer server) {
        this.server = server;
        this.locks = MongoClients.create(
                server.settings().addCommandListener(commands).build());
        this.data = MongoClients.create(server.settings().build());
    }

    /** Makes a client that locks with a strategy. */
    public LockClient client(LockStrategy strategy) throws InterruptedException {
        return configure(LockClient.builder(locks, DATABASE), strategy).build();
    }

    /** Has a client lock with a strategy in a collection of this run, and wait as all do. */
    public <B extends LockClientBuilder<B>> B configure(B builder, LockStrategy strategy) {
        return Side.configure(builder, strategy, name(strategy.name()));
    }

    /** Gives the name of a collection of this run. */
    public String name(String collection) {
        return prefix + collection;
    }

    /** Begins the settings of one more client of the server. */
    public MongoClientSettings.Builder settings() {
        return server.settings();
    }

    /** Gives the connection string of the server, which may hold secrets. */
    public String uri() {
        return server.uri();
    }

    /** Gives a collection of this run, through connections that are not counted. */
    public MongoCollection<Document> collection(String collection) {
        return database().getCollection(name(collection));
    }

    /** Tells how a client of this run waits for a lock. */
    public Waiting waiting() {
        return isStandalone() ? Waiting.polling(Side.LONGEST_POLL) : Waiting.TOLD;
    }

    /** Gives a driver with a pool of its own, which nobody counts; the same each time. */
    public Side side(Client client) {
        return sides.computeIfAbsent(
                client, driver -> Side.open(driver, server.settings().build(), DATABASE));
    }

    /** Opens a driver with a pool of its own and somebody who listens to its commands. The caller closes it. */
    public Side side(Client client, CommandListener listener) {
        return Side.open(client, server.settings().addCommandListener(listener).build(), DATABASE);
    }

    /** Gives the server's oplog, as far as it is about this run. */
    public Oplog oplog() {
        return new Oplog(data, DATABASE + "." + prefix);
    }

    /** Makes data for a lock of one run to protect. */
    public ProtectedData protectedData(LockStrategy strategy) {
        return protectedData(strategy.name());
    }

    /** Makes data for a lock of a contender to protect. */
    public ProtectedData protectedData(String contender) {
        return new ProtectedData(collection("data"), contender + "-" + UUID.randomUUID());
    }

    CommandCounter commands() {
        return commands;
    }

    /** Tells whether the server is neither a replica set nor a sharded cluster. */
    boolean isStandalone() {
        return data.getClusterDescription().getType() == ClusterType.STANDALONE;
    }

    /** Checks that the server still answers. */
    void requireServer() {
        server.requireAnswer(data);
    }

    /** Says why the server cannot be used. */
    UnusableInputException complaint(MongoException e) {
        return server.complaint(data, e);
    }

    @Override
    public void close() {
        try (locks;
                data) {
            sides.values().forEach(Side::close);
            dropCollections();
        }
    }

    /** When the server is gone the run has already failed for that reason. */
    private void dropCollections() {
        try {
            for (String collection : database().listCollectionNames()) {
                if (collection.startsWith(prefix)) {
                    database().getCollection(collection).drop();
                }
            }
        } catch (MongoException e) {
            LOG.log(DEBUG, "Collections " + prefix + "* stay in database " + DATABASE, e);
        }
    }

    private MongoDatabase database() {
        return data.getDatabase(DATABASE);
    }
}
