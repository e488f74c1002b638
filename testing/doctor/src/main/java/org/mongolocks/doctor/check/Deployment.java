package org.mongolocks.doctor.check;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.ReadConcern;
import com.mongodb.ReadPreference;
import com.mongodb.ServerAddress;
import com.mongodb.ServerApi;
import com.mongodb.ServerApiVersion;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ServerDescription;
import com.mongodb.event.CommandFailedEvent;
import com.mongodb.event.CommandListener;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.mongolocks.internal.run.FaultClassifier;
import org.mongolocks.spi.LockStrategy;

/** The deployment under test, and the strategies to check. */
public final class Deployment implements AutoCloseable {
    /** The time limit of one command, in seconds. */
    static final long COMMAND_SECONDS = 5;

    private static final long SELECTION_SECONDS = 10;

    private final ConnectionString uri;
    private final List<LockStrategy> strategies;
    private final Optional<String> collection;
    private final MongoClientSettings settings;
    private final MongoClient client;
    private final MongoDatabase database;
    private final BsonDocument hello;
    private final Scratch scratch;
    private final AtomicInteger overloads = new AtomicInteger();

    private Deployment(
            ConnectionString uri, String database, Optional<String> collection, List<LockStrategy> strategies) {
        this.uri = uri;
        this.collection = collection;
        this.strategies = List.copyOf(strategies);
        MongoClientSettings.Builder builder =
                MongoClientSettings.builder().applyConnectionString(uri).addCommandListener(new OverloadCounter());
        if (uri.getServerSelectionTimeout() == null) {
            builder.applyToClusterSettings(
                    cluster -> cluster.serverSelectionTimeout(SELECTION_SECONDS, TimeUnit.SECONDS));
        }
        this.settings = builder.build();
        this.client = MongoClients.create(settings);
        this.database = client.getDatabase(database).withTimeout(COMMAND_SECONDS, TimeUnit.SECONDS);
        try {
            this.hello = hello(
                    client.getDatabase("admin").withTimeout(SELECTION_SECONDS + COMMAND_SECONDS, TimeUnit.SECONDS));
        } catch (MongoException e) {
            client.close();
            throw e;
        }
        this.scratch = new Scratch(this.database);
    }

    /**
     * Connects to a deployment.
     *
     * @param uri the deployment
     * @param database the database of the locks
     * @param collection the collection of the locks; empty for the default of each strategy
     * @param strategies the strategies to check
     * @throws MongoException if no server replies
     */
    public static Deployment connect(
            ConnectionString uri, String database, Optional<String> collection, List<LockStrategy> strategies) {
        return new Deployment(uri, database, collection, strategies);
    }

    /** Returns the server's description. */
    BsonDocument hello() {
        return hello;
    }

    /** Asks a server for its description; 4.4.0 knows the command by its old name only. */
    static BsonDocument hello(MongoDatabase admin) {
        BsonInt32 one = new BsonInt32(1);
        try {
            return admin.runCommand(
                    new BsonDocument("hello", one), ReadPreference.primaryPreferred(), BsonDocument.class);
        } catch (MongoCommandException e) {
            return admin.runCommand(
                    new BsonDocument("isMaster", one), ReadPreference.primaryPreferred(), BsonDocument.class);
        }
    }

    boolean isRouter() {
        return hello.containsKey("msg");
    }

    boolean isStandalone() {
        return !isRouter() && !hello.containsKey("setName");
    }

    /** Returns the kind of the deployment, in words. */
    public String topology() {
        if (isRouter()) {
            return "a sharded cluster";
        }
        return isStandalone()
                ? "a standalone server"
                : "the replica set '" + hello.getString("setName").getValue() + "'";
    }

    ConnectionString uri() {
        return uri;
    }

    MongoClient client() {
        return client;
    }

    MongoDatabase database() {
        return database;
    }

    MongoDatabase admin() {
        return client.getDatabase("admin").withTimeout(COMMAND_SECONDS, TimeUnit.SECONDS);
    }

    /** Returns the database in which a router finds the sharded collections. */
    MongoDatabase config() {
        return client.getDatabase("config")
                .withReadPreference(ReadPreference.primary())
                .withReadConcern(ReadConcern.LOCAL)
                .withTimeout(COMMAND_SECONDS, TimeUnit.SECONDS);
    }

    Scratch scratch() {
        return scratch;
    }

    /**
     * Returns the status of the server.
     *
     * @throws MongoException if the user has no right to read it, or the server has none
     */
    BsonDocument status() {
        return admin().runCommand(new BsonDocument("serverStatus", new BsonInt32(1)), BsonDocument.class);
    }

    /** Returns how many commands of this run the server has refused until now because of its load. */
    int overloads() {
        return overloads.get();
    }

    /** Connects as the same user, and declares the Stable API, strictly. */
    MongoClient connectStrictly() {
        ServerApi strict =
                ServerApi.builder().version(ServerApiVersion.V1).strict(true).build();
        return MongoClients.create(
                MongoClientSettings.builder(settings).serverApi(strict).build());
    }

    /** Returns the strategies to check. */
    public List<LockStrategy> strategies() {
        return strategies;
    }

    Set<String> names() {
        return strategies.stream().map(LockStrategy::name).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Returns the collection of the locks of a strategy. */
    String collectionOf(LockStrategy strategy) {
        return collection.orElse("locks." + strategy.name());
    }

    /** Returns the members that hold data, or the routers. With a connection to a single server, it is that one. */
    List<ServerAddress> servers() {
        boolean isWhole = !isStandalone() && !isRouter() && !Boolean.TRUE.equals(uri.isDirectConnection());
        Stream<String> members = isWhole
                ? Stream.of("hosts", "passives")
                        .filter(hello::containsKey)
                        .flatMap(kind -> hello.getArray(kind).stream())
                        .map(host -> host.asString().getValue())
                : client.getClusterDescription().getServerDescriptions().stream()
                        .map(ServerDescription::getAddress)
                        .map(ServerAddress::toString);
        return members.map(ServerAddress::new).toList();
    }

    /** Returns how many members of a kind ({@code hosts}, {@code passives}, {@code arbiters}) the replica set shows. */
    int members(String kind) {
        return hello.getArray(kind, new BsonArray()).size();
    }

    /** Connects to one server, as the same user. */
    MongoClient connectTo(ServerAddress server) {
        MongoClientSettings.Builder one = MongoClientSettings.builder()
                .applyToSslSettings(ssl -> ssl.applySettings(settings.getSslSettings()))
                .applyToClusterSettings(cluster -> cluster.hosts(List.of(server))
                        .mode(ClusterConnectionMode.SINGLE)
                        .serverSelectionTimeout(COMMAND_SECONDS, TimeUnit.SECONDS))
                .timeout(COMMAND_SECONDS, TimeUnit.SECONDS);
        if (settings.getCredential() != null) {
            one.credential(settings.getCredential());
        }
        return MongoClients.create(one.build());
    }

    /** Drops the scratch collections and disconnects. */
    @Override
    public void close() {
        try (client) {
            scratch.close();
        }
    }

    private final class OverloadCounter implements CommandListener {
        @Override
        public void commandFailed(CommandFailedEvent event) {
            if (event.getThrowable() instanceof MongoException e && FaultClassifier.isOverload(e)) {
                overloads.incrementAndGet();
            }
        }
    }
}
