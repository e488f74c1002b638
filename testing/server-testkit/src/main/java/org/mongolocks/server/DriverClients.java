package org.mongolocks.server;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.ServerApi;
import com.mongodb.ServerApiVersion;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoDatabase;
import com.mongodb.event.CommandListener;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A client of each driver for one server. Thread-safe. */
public final class DriverClients implements AutoCloseable {
    private static final Map<String, DriverClients> SHARED = new ConcurrentHashMap<>();

    private final MongoClientSettings settings;
    private final CommandLatch sent;
    private @Nullable DriverClients strict;
    private @Nullable MongoClient sync;
    private com.mongodb.reactivestreams.client.@Nullable MongoClient reactive;

    private DriverClients(MongoClientSettings.Builder builder) {
        this.sent = new CommandLatch();
        this.settings = builder.addCommandListener(sent).build();
    }

    private DriverClients(MongoClientSettings settings, CommandLatch sent) {
        this.settings = settings;
        this.sent = sent;
    }

    /** Returns the connection that all clients without faults share in this JVM; it is closed when the JVM exits. */
    public static DriverClients shared(String uri) {
        return SHARED.computeIfAbsent(uri, DriverClients::open);
    }

    /** Returns a new connection with a command listener. */
    public static DriverClients observedBy(String uri, CommandListener listener) {
        return new DriverClients(settings(uri).addCommandListener(listener));
    }

    /** Returns whether a connection string asks for TLS. */
    public static boolean isEncrypted(String uri) {
        return settings(uri).build().getSslSettings().isEnabled();
    }

    /** Returns a new connection with the given settings. */
    public static DriverClients of(MongoClientSettings settings) {
        return new DriverClients(MongoClientSettings.builder(settings));
    }

    /** Returns the client of the synchronous driver, created on the first call. */
    public synchronized MongoClient sync() {
        MongoClient made = sync == null ? MongoClients.create(settings) : sync;
        sync = made;
        return made;
    }

    /** Returns the client of the reactive driver, created on the first call. */
    public synchronized com.mongodb.reactivestreams.client.MongoClient reactive() {
        com.mongodb.reactivestreams.client.MongoClient made =
                reactive == null ? com.mongodb.reactivestreams.client.MongoClients.create(settings) : reactive;
        reactive = made;
        return made;
    }

    /**
     * Returns clients for the same server that declare version 1 of the stable API, strictly: the server refuses what is
     * outside it. They are closed with these, and their commands are counted by the same latch. Returns these clients if
     * they declare it already.
     */
    public synchronized DriverClients strict() {
        DriverClients made = settings.getServerApi() == null ? strict : this;
        if (made == null) {
            ServerApi api = ServerApi.builder()
                    .version(ServerApiVersion.V1)
                    .strict(true)
                    .build();
            made = new DriverClients(
                    MongoClientSettings.builder(settings).serverApi(api).build(), sent);
            strict = made;
        }
        return made;
    }

    public CommandLatch sent() {
        return sent;
    }

    /** Sends a command to the server by each client that was created, without waiting, and returns their number. */
    public synchronized int sendByEach(BsonDocument command) {
        int clients = 0;
        if (sync != null) {
            MongoDatabase admin = sync.getDatabase("admin");
            BackgroundTask.run(() -> admin.runCommand(command));
            clients++;
        }
        if (reactive != null) {
            Mono.from(reactive.getDatabase("admin").runCommand(command)).subscribe();
            clients++;
        }
        return clients;
    }

    @Override
    public synchronized void close() {
        if (strict != null) {
            strict.close();
        }
        if (sync != null) {
            sync.close();
        }
        if (reactive != null) {
            reactive.close();
        }
    }

    private static DriverClients open(String uri) {
        DriverClients connection = new DriverClients(settings(uri));
        Runtime.getRuntime().addShutdownHook(new Thread(connection::close, "contract-close"));
        return connection;
    }

    /**
     * Returns driver settings with a short heartbeat: after a broken connection the driver should not wait half a
     * second before it looks for the server again.
     */
    public static MongoClientSettings.Builder settings(String uri) {
        return MongoClientSettings.builder()
                .applyConnectionString(new ConnectionString(uri))
                .applyToClusterSettings(cluster -> cluster.serverSelectionTimeout(10, TimeUnit.SECONDS))
                .applyToServerSettings(server -> server.minHeartbeatFrequency(20, TimeUnit.MILLISECONDS));
    }
}
