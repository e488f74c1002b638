package org.mongolocks.contract;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.event.CommandListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/** Has a client of each driver for one server. */
final class Connection implements AutoCloseable {
    private static final Map<String, Connection> SHARED = new ConcurrentHashMap<>();

    private final MongoClient sync;
    private final com.mongodb.reactivestreams.client.MongoClient reactive;
    private final CommandLatch sent = new CommandLatch();

    private Connection(MongoClientSettings.Builder builder) {
        MongoClientSettings settings = builder.addCommandListener(sent).build();
        this.sync = MongoClients.create(settings);
        this.reactive = com.mongodb.reactivestreams.client.MongoClients.create(settings);
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

    MongoClient sync() {
        return sync;
    }

    com.mongodb.reactivestreams.client.MongoClient reactive() {
        return reactive;
    }

    CommandLatch sent() {
        return sent;
    }

    @Override
    public void close() {
        sync.close();
        reactive.close();
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
