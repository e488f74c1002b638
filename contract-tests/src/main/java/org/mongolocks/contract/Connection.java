package org.mongolocks.contract;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Has a client of each driver for one server. Thread-safe. */
final class Connection implements AutoCloseable {
    private static final Map<String, Connection> SHARED = new ConcurrentHashMap<>();

    private final MongoClientSettings settings;
    private final CommandLatch sent = new CommandLatch();
    private @Nullable MongoClient sync;
    private com.mongodb.reactivestreams.client.@Nullable MongoClient reactive;

    private Connection(MongoClientSettings.Builder builder) {
        this.settings = builder.addCommandListener(sent).build();
    }

    /** Gives the connection that all well-behaved clients of this JVM share; it is closed with the JVM. */
    static Connection shared(String uri) {
        return SHARED.computeIfAbsent(uri, Connection::open);
    }

    /** Makes a connection whose commands a listener is told of. */
    static Connection heardBy(String uri, CommandListener listener) {
        return new Connection(settings(uri).addCommandListener(listener));
    }

    /** Tells whether a connection string asks for TLS. */
    static boolean isEncrypted(String uri) {
        return settings(uri).build().getSslSettings().isEnabled();
    }

    /** Makes a connection with settings of its own. */
    static Connection of(MongoClientSettings settings) {
        return new Connection(MongoClientSettings.builder(settings));
    }

    /** Gives the client of the synchronous driver, made when it is first asked for. */
    synchronized MongoClient sync() {
        MongoClient made = sync == null ? MongoClients.create(settings) : sync;
        sync = made;
        return made;
    }

    /** Gives the client of the reactive driver, made when it is first asked for. */
    synchronized com.mongodb.reactivestreams.client.MongoClient reactive() {
        com.mongodb.reactivestreams.client.MongoClient made =
                reactive == null ? com.mongodb.reactivestreams.client.MongoClients.create(settings) : reactive;
        reactive = made;
        return made;
    }

    CommandLatch sent() {
        return sent;
    }

    @Override
    public synchronized void close() {
        if (sync != null) {
            sync.close();
        }
        if (reactive != null) {
            reactive.close();
        }
    }

    private static Connection open(String uri) {
        Connection connection = new Connection(settings(uri));
        Runtime.getRuntime().addShutdownHook(new Thread(connection::close, "contract-close"));
        return connection;
    }

    /** After a broken connection a driver looks for the server again; it should not take half a second each time. */
    static MongoClientSettings.Builder settings(String uri) {
        return MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(10, TimeUnit.SECONDS))
                .applyToServerSettings(server -> server.minHeartbeatFrequency(20, TimeUnit.MILLISECONDS));
    }
}
