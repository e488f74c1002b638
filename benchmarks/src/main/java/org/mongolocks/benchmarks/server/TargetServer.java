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
import org.mongolocks.benchmarks.server.ServerDescription.Kind;
import org.mongolocks.benchmarks.server.ServerDescription.Topology;
import org.mongolocks.embedded.EmbeddedMongo;

/** The server of a run: the one of a connection string, or an embedded one that ends with the run. */
public final class TargetServer implements AutoCloseable {
    /** The system property or environment variable with the connection string. */
    public static final String URI_VARIABLE = "MONGO_LOCKS_URI";

    /** The word for an embedded server in the place of a connection string. */
    public static final String EMBEDDED = "embedded";

    private static final int TIMEOUT_SECONDS = 5;
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
     * Returns the server of a connection string, or starts an embedded one.
     *
     * @throws UnusableInputException if the connection string is invalid
     */
    public static TargetServer of(Optional<String> uri) {
        return of(uri, Duration.ZERO);
    }

    /**
     * Returns the server of a connection string, or starts an embedded one that delays {@code w: majority}
     * acknowledgements.
     *
     * @throws UnusableInputException if the connection string is invalid
     */
    public static TargetServer of(Optional<String> uri, Duration majorityLag) {
        return uri.filter(named -> !named.equals(EMBEDDED))
                .map(TargetServer::at)
                .orElseGet(() -> embedded(majorityLag));
    }

    /** Returns the server that the system property or environment variable names, or starts an embedded one. */
    public static TargetServer ofEnvironment() {
        return of(Optional.ofNullable(System.getProperty(URI_VARIABLE, System.getenv(URI_VARIABLE))));
    }

    private static TargetServer at(String uri) {
        return new TargetServer(Kind.URI, ConnectionStrings.parse(uri), Duration.ZERO, () -> {});
    }

    private static TargetServer embedded(Duration majorityLag) {
        EmbeddedMongo mongo = EmbeddedMongo.builder().majorityLag(majorityLag).start();
        return new TargetServer(
                Kind.EMBEDDED, new ConnectionString(mongo.connectionString()), majorityLag, mongo::close);
    }

    /** Returns whether the server is embedded in this run. */
    public boolean isEmbedded() {
        return kind == Kind.EMBEDDED;
    }

    /** Returns the connection string, which may contain secrets. */
    public String uri() {
        return connectionString.getConnectionString();
    }

    /** Returns settings for a client of this server, with short timeouts for a server that is not reachable. */
    public MongoClientSettings.Builder settings() {
        return MongoClientSettings.builder()
                .applicationName("mongo-locks-benchmarks")
                .applyConnectionString(connectionString)
                .applyToSocketSettings(socket -> socket.connectTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(TIMEOUT_SECONDS, TimeUnit.SECONDS));
    }

    /**
     * Queries the server for its description.
     *
     * @throws UnusableInputException if no server that accepts writes answers
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

    /** Returns an exception that explains why the server is unusable. */
    public UnusableInputException complaint(MongoClient mongo, MongoException e) {
        return ConnectionErrors.about(String.join(",", connectionString.getHosts()), mongo.getClusterDescription(), e);
    }

    @Override
    public void close() {
        end.run();
    }

    private Document ask(MongoClient mongo, Document command) {
        try {
            return mongo.getDatabase("admin").runCommand(command);
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

    /** Returns all members, including those that a direct connection to one member knows only from its replies. */
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

    /** A parser of connection strings. Its error messages never contain a user name, a password or an option. */
    static final class ConnectionStrings {
        private static final String CREDENTIALS = "://.*@";
        private static final String OPTIONS = "\\?.*";

        private ConnectionStrings() {}

        static ConnectionString parse(String uri) {
            try {
                return new ConnectionString(uri);
            } catch (IllegalArgumentException e) {
                throw new UnusableInputException("--uri is no connection string: " + fault(uri));
            } catch (MongoException e) {
                throw new UnusableInputException(
                        "--uri names a host that cannot be looked up: " + ConnectionErrors.firstLine(e));
            }
        }

        /**
         * Returns the error in a connection string. The message of the driver may quote the string; it is used only
         * after secrets have been removed from the string.
         */
        private static String fault(String uri) {
            String open = uri.replaceFirst(CREDENTIALS, "://").replaceFirst(OPTIONS, "");
            try {
                new ConnectionString(open);
                return "its user name, password or options cannot be read (special characters are percent-encoded)";
            } catch (IllegalArgumentException | MongoException e) {
                return ConnectionErrors.firstLine(e);
            }
        }
    }
}
