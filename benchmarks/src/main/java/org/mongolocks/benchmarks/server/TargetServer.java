package org.mongolocks.benchmarks.server;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterDescription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.mongolocks.benchmarks.console.UnusableInputException;
import org.mongolocks.benchmarks.server.ServerDescription.Kind;

/** Is the server of a run: the one that a connection string names, or an embedded one that ends with the run. */
public final class TargetServer implements AutoCloseable {
    /** The system property or environment variable that names a server. */
    public static final String URI_VARIABLE = "MONGO_LOCKS_URI";

    private static final int PATIENCE_SECONDS = 5;
    private static final Document PING = new Document("ping", 1);
    private static final Document BUILD_INFO = new Document("buildInfo", 1);

    private final Kind kind;
    private final ConnectionString connectionString;
    private final Duration majorityLag;
    private final Runnable end;

    private TargetServer(Kind kind, ConnectionString connectionString, Duration majorityLag, Runnable end) {
        this.kind = kind;
        this.connectionString = connectionString;
        this.majorityLag = majorityLag;
        this.end = end;
    }

    /**
     * Takes the server that a connection string names, or starts an embedded one.
     *
     * @throws UnusableInputException if the connection string cannot be read
     */
    public static TargetServer of(Optional<String> uri) {
        return of(uri, Duration.ZERO);
    }

    /**
     * Takes the server that a connection string names, or starts an embedded one that makes whoever waits for a majority wait
     * for so long.
     *
     * @throws UnusableInputException if the connection string cannot be read
     */
    public static TargetServer of(Optional<String> uri, Duration majorityLag) {
        return uri.map(TargetServer::at).orElseGet(() -> embedded(majorityLag));
    }

    /** Takes the server that the system property or environment variable names, or starts an embedded one. */
    public static TargetServer ofEnvironment() {
        return of(Optional.ofNullable(System.getProperty(URI_VARIABLE, System.getenv(URI_VARIABLE))));
    }

    private static TargetServer at(String uri) {
        return new TargetServer(Kind.URI, ConnectionStrings.parse(uri), Duration.ZERO, () -> {});
    }

    private static TargetServer embedded(Duration majorityLag) {
        EmbeddedServer server = new EmbeddedServer(majorityLag);
        return new TargetServer(Kind.EMBEDDED, new ConnectionString(server.uri()), majorityLag, server::close);
    }

    /** Gives the connection string, which may hold secrets. */
    public String uri() {
        return connectionString.getConnectionString();
    }

    /** Begins the settings of a client of this server. It gives up soon on a server that is not there. */
    public MongoClientSettings.Builder settings() {
        return MongoClientSettings.builder()
                .applicationName("mongo-locks-benchmarks")
                .applyConnectionString(connectionString)
                .applyToSocketSettings(socket -> socket.connectTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(PATIENCE_SECONDS, TimeUnit.SECONDS));
    }

    /**
     * Asks the server what it is.
     *
     * @throws UnusableInputException if no server that takes writes answers
     */
    public ServerDescription describe() {
        try (MongoClient mongo = MongoClients.create(settings().build())) {
            String version = ask(mongo, BUILD_INFO).getString("version");
            ClusterDescription cluster = mongo.getClusterDescription();
            return new ServerDescription(kind, version, topology(cluster), members(cluster), majorityLag);
        }
    }

    /**
     * Checks that the server still answers.
     *
     * @throws UnusableInputException if it does not
     */
    public void requireAnswer(MongoClient mongo) {
        ask(mongo, PING);
    }

    /** Says why the server cannot be used. */
    public UnusableInputException complaint(MongoClient mongo, MongoException e) {
        return Complaints.about(String.join(",", connectionString.getHosts()), mongo, e);
    }

    @Override
    public void close() {
        end.run();
    }

    private Document ask(MongoClient mongo, Document question) {
        try {
            return mongo.getDatabase("admin").runCommand(question);
        } catch (MongoException e) {
            throw complaint(mongo, e);
        }
    }

    private static Topology topology(ClusterDescription cluster) {
        return switch (cluster.getType()) {
            case STANDALONE -> Topology.STANDALONE;
            case REPLICA_SET -> Topology.REPLICA_SET;
            case SHARDED -> Topology.SHARDED;
            case LOAD_BALANCED -> Topology.LOAD_BALANCED;
            case UNKNOWN -> Topology.UNKNOWN;
        };
    }

    /** A client that talks to one member directly has still heard of the others. */
    private static List<String> members(ClusterDescription cluster) {
        List<String> members = new ArrayList<>();
        for (com.mongodb.connection.ServerDescription server : cluster.getServerDescriptions()) {
            List<String> known = server.getHosts().isEmpty()
                    ? List.of(server.getAddress().toString())
                    : server.getHosts().stream().sorted().toList();
            known.stream().filter(host -> !members.contains(host)).forEach(members::add);
        }
        return members;
    }
}
