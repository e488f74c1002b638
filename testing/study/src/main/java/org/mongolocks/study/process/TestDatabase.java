package org.mongolocks.study.process;

import static com.mongodb.connection.ServerType.STANDALONE;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoException;
import com.mongodb.MongoSocketException;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.connection.ServerDescription;
import java.net.InetSocketAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.bson.BsonDocument;
import org.bson.Document;
import org.mongolocks.peers.PeerLibrary.Server;
import org.mongolocks.reporting.server.Target;
import org.mongolocks.reporting.server.UnusableInputException;
import org.mongolocks.study.process.message.ParentMessage.Place;
import org.mongolocks.study.technique.Column;
import org.mongolocks.study.technique.Library;
import org.mongolocks.study.technique.RealTechniques;
import org.mongolocks.study.technique.Technique;
import org.mongolocks.study.technique.Textbook;

/** The server of a study with real processes, and a database there that is dropped at the end. */
public final class TestDatabase implements AutoCloseable {
    /** Known to all versions, unlike {@code hello}. */
    private static final Document STATE = new Document("isMaster", 1);

    private static final Document STEP_DOWN = new Document("replSetStepDown", 2)
            .append("secondaryCatchUpPeriodSecs", 1)
            .append("force", true);
    private static final Duration EMBEDDED_STEP_DOWN = Duration.ofSeconds(1);
    private static final Duration ELECTION = Duration.ofSeconds(15);

    private final Target target;
    private final MongoClient mongo;
    private final String database = "mongo_locks_study_" + Long.toHexString(new SecureRandom().nextLong());
    private final OtherServers others;
    private final AtomicInteger places = new AtomicInteger();
    private final AtomicBoolean isClosed = new AtomicBoolean();

    private TestDatabase(Target target, OtherServers others) {
        this.target = target;
        this.others = others;
        this.mongo = MongoClients.create(target.settings().build());
    }

    /**
     * Connects to a server.
     *
     * @param uri its connection string, or {@code embedded} for a server in this process
     * @return the database
     * @throws IllegalArgumentException if the string is invalid or no primary replies; the message contains no secrets
     */
    public static TestDatabase at(String uri) {
        return at(uri, OtherServers.NONE);
    }

    /** Connects to a server; at the end the schema of a run on others than MongoDB is dropped, too. */
    public static TestDatabase at(String uri, OtherServers others) {
        TestDatabase database = new TestDatabase(Target.of(Optional.of(uri)), others);
        try {
            database.server();
        } catch (MongoException e) {
            UnusableInputException complaint = database.target.complaint(database.mongo, e);
            database.disconnect();
            throw complaint;
        } catch (RunFailedException e) {
            database.disconnect();
            throw new UnusableInputException(String.valueOf(e.getMessage()), e);
        }
        if (database.target.embedded().isEmpty() || database.hasServer(Server.POSTGRESQL)) {
            Runtime.getRuntime().addShutdownHook(new Thread(database::close, "study-end"));
        }
        return database;
    }

    /** Describes the server. */
    public String description() {
        return target.describe(mongo).words();
    }

    boolean isStandalone() {
        return server().getType() == STANDALONE;
    }

    boolean hasServer(Server server) {
        return others.uri(server).isPresent();
    }

    /** Returns whether the connection is encrypted, so that a proxy cannot read it. */
    public boolean isEncrypted() {
        return Boolean.TRUE.equals(target.connectionString().getSslEnabled());
    }

    /**
     * Has the primary step down; then it is elected again, or another member is.
     *
     * @return why that is not possible here, if it is not
     */
    Optional<String> stepDown() {
        if (target.embedded().isPresent()) {
            target.embedded().get().stepDown(EMBEDDED_STEP_DOWN);
            return Optional.empty();
        }
        try {
            mongo.getDatabase("admin").runCommand(STEP_DOWN);
            return Optional.empty();
        } catch (MongoCommandException e) {
            return Optional.of(e.getErrorMessage() + " (code " + e.getErrorCode() + ")");
        } catch (MongoSocketException e) {
            // Before MongoDB 4.2 a primary that steps down closes its connections.
            return Optional.empty();
        }
    }

    /** Returns how long the server may have no primary after a step-down. */
    Duration electionTime() {
        return target.embedded().isPresent() ? EMBEDDED_STEP_DOWN : ELECTION;
    }

    /** Returns a connection to the server, without faults; it is closed with this. */
    MongoClient mongo() {
        return mongo;
    }

    /** Returns the address of the primary. */
    InetSocketAddress primary() {
        return new InetSocketAddress(
                server().getAddress().getHost(), server().getAddress().getPort());
    }

    /** Returns a collection, or its equivalent on another server, that does not exist yet. */
    Place newPlace(Column column) {
        String uri = column instanceof Library library
                ? others.uri(library.peer().server())
                        .orElse(target.connectionString().getConnectionString())
                : target.connectionString().getConnectionString();
        return new Place(uri, 0, database, "locks" + places.incrementAndGet());
    }

    /**
     * Creates the documents and indexes of a technique's article in a collection; strategies of the library create their own.
     * A client of the library cannot be built on a collection with such indexes, so that all of its clients must have been
     * built before.
     */
    void prepare(Place place, Column column) {
        if (column instanceof Technique technique
                && technique.strategies().apply(InstantSource.system()) instanceof Textbook textbook) {
            MongoDatabase locks = mongo.getDatabase(place.database());
            textbook.indexes()
                    .forEach(index -> locks.runCommand(
                            new Document("createIndexes", place.collection()).append("indexes", List.of(index))));
            textbook.documents(RealTechniques.lock(1))
                    .forEach(document -> locks.getCollection(place.collection(), BsonDocument.class)
                            .insertOne(document));
        }
    }

    /** Drops the database; also called when the program is interrupted. Closing again does nothing. */
    @Override
    public void close() {
        if (isClosed.getAndSet(true)) {
            return;
        }
        try {
            mongo.getDatabase(database).drop();
        } catch (MongoException e) {
            throw new RunFailedException("Database " + database + " could not be dropped; drop it by hand", e);
        } finally {
            disconnect();
            others.drop(database);
        }
    }

    private void disconnect() {
        mongo.close();
        target.close();
    }

    /** Returns the primary, once there is one: the driver may notice a step-down only later than the server says so. */
    private ServerDescription server() {
        long deadlineNanos = System.nanoTime() + target.timeout().toNanos();
        do {
            boolean isPrimary = mongo.getDatabase("admin").runCommand(STATE).getBoolean("ismaster", false);
            Optional<ServerDescription> primary = mongo.getClusterDescription().getServerDescriptions().stream()
                    .filter(ServerDescription::isPrimary)
                    .findFirst();
            if (isPrimary && primary.isPresent()) {
                return primary.get();
            }
        } while (System.nanoTime() - deadlineNanos < 0);
        throw new RunFailedException("No primary replies at "
                + String.join(",", target.connectionString().getHosts()) + " within "
                + target.timeout().toSeconds() + " seconds");
    }
}
