package org.mongolocks.reporting.server;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.connection.ClusterDescription;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.Document;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.reporting.server.ServerDescription.Kind;
import org.mongolocks.reporting.server.ServerDescription.Topology;

/** The server that a program works on: the one of a connection string, or an embedded one that ends with the program. */
public final class Target implements AutoCloseable {
    /** The system property or environment variable with the connection string. */
    public static final String URI_VARIABLE = "MONGO_LOCKS_URI";
    /** The word for an embedded server in the place of a connection string. */
    public static final String EMBEDDED = "embedded";

    private static final String ALLOWED =
            "--uri must be 'embedded' or a connection string such as mongodb://localhost:27017/?replicaSet=rs0: ";
    private static final String CREDENTIALS = "(?s)://.*@";
    private static final String OPTIONS = "(?s)\\?.*";
    private static final Duration TIMEOUT = Duration.ofSeconds(5);
    /** The embedded server is there; on a busy machine its reply takes long. */
    private static final Duration EMBEDDED_TIMEOUT = Duration.ofSeconds(60);

    private static final Document PING = new Document("ping", 1);
    private static final Document BUILD_INFO = new Document("buildInfo", 1);

    private final ConnectionString connectionString;
    private final Optional<EmbeddedMongo> embedded;
    private final Duration majorityLag;

    private Target(ConnectionString connectionString, Optional<EmbeddedMongo> embedded, Duration majorityLag) {
        this.connectionString = connectionString;
        this.embedded = embedded;
        this.majorityLag = majorityLag;
    }

    /**
     * Returns the server of a connection string, or starts an embedded one.
     *
     * @throws UnusableInputException if the connection string is invalid
     */
    public static Target of(Optional<String> uri) {
        return of(uri, Duration.ZERO);
    }

    /**
     * Returns the server of a connection string, or starts an embedded one that delays {@code w: majority}
     * acknowledgements.
     *
     * @throws UnusableInputException if the connection string is invalid
     */
    public static Target of(Optional<String> uri, Duration majorityLag) {
        Optional<String> named = uri.filter(one -> !one.equals(EMBEDDED));
        if (named.isPresent()) {
            return new Target(parse(named.get()), Optional.empty(), Duration.ZERO);
        }
        EmbeddedMongo mongo = EmbeddedMongo.builder().majorityLag(majorityLag).start();
        return new Target(new ConnectionString(mongo.connectionString()), Optional.of(mongo), majorityLag);
    }

    /** Returns the server that the system property or environment variable names, or starts an embedded one. */
    public static Target ofEnvironment() {
        return of(Optional.ofNullable(System.getProperty(URI_VARIABLE, System.getenv(URI_VARIABLE))));
    }

    /**
     * Parses a connection string. The message about an invalid one contains no user name, password or option.
     *
     * @throws UnusableInputException if it is invalid
     */
    public static ConnectionString parse(String uri) {
        if (uri.chars().anyMatch(Character::isISOControl)) {
            throw new UnusableInputException(ALLOWED + "it contains a line break or another control character");
        }
        try {
            return new ConnectionString(uri);
        } catch (IllegalArgumentException e) {
            throw new UnusableInputException(ALLOWED + fault(uri));
        } catch (MongoException e) {
            throw new UnusableInputException(
                    "--uri names a host that cannot be looked up: " + ConnectionErrors.firstLine(e));
        }
    }

    /**
     * Returns the error in a connection string. The message of the driver may quote the string; it is used only after
     * secrets have been removed from the string.
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

    /** Returns the server in this process, if it is one. */
    public Optional<EmbeddedMongo> embedded() {
        return embedded;
    }

    /** Returns the connection string, which may contain secrets. */
    public ConnectionString connectionString() {
        return connectionString;
    }

    /** Returns how long a program waits until the server answers. */
    public Duration timeout() {
        return embedded.isPresent() ? EMBEDDED_TIMEOUT : TIMEOUT;
    }

    /** Returns settings for a client of this server, with short timeouts for a server that is not reachable. */
    public MongoClientSettings.Builder settings() {
        return MongoClientSettings.builder()
                .applyConnectionString(connectionString)
                .applyToSocketSettings(socket -> socket.connectTimeout(TIMEOUT.toSeconds(), TimeUnit.SECONDS))
                .applyToClusterSettings(
                        cluster -> cluster.serverSelectionTimeout(timeout().toSeconds(), TimeUnit.SECONDS));
    }

    /**
     * Queries the server for its description.
     *
     * @throws UnusableInputException if no server that accepts writes answers
     */
    public ServerDescription describe() {
        try (MongoClient mongo = MongoClients.create(settings().build())) {
            return describe(mongo);
        }
    }

    /**
     * Queries the server for its description through a client.
     *
     * @throws UnusableInputException if no server that accepts writes answers
     */
    public ServerDescription describe(MongoClient mongo) {
        String version = ask(mongo, BUILD_INFO).getString("version");
        ClusterDescription cluster = mongo.getClusterDescription();
        return new ServerDescription(
                embedded.isPresent() ? Kind.EMBEDDED : Kind.URI,
                version,
                topology(cluster),
                members(cluster),
                majorityLag);
    }

    /**
     * Checks that the server still answers.
     *
     * @throws UnusableInputException if it does not
     */
    public void requireAnswer(MongoClient mongo) {
        ask(mongo, PING);
    }

    private Document ask(MongoClient mongo, Document command) {
        try {
            return mongo.getDatabase("admin").runCommand(command);
        } catch (MongoException e) {
            throw complaint(mongo, e);
        }
    }

    /** Returns an exception that explains why the server is unusable. */
    public UnusableInputException complaint(MongoClient mongo, MongoException e) {
        return ConnectionErrors.about(String.join(",", connectionString.getHosts()), mongo.getClusterDescription(), e);
    }

    /** Ends an embedded server. */
    @Override
    public void close() {
        embedded.ifPresent(EmbeddedMongo::close);
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
        return cluster.getServerDescriptions().stream()
                .flatMap(server -> server.getHosts().isEmpty()
                        ? Stream.of(server.getAddress().toString())
                        : server.getHosts().stream().sorted())
                .distinct()
                .toList();
    }
}
