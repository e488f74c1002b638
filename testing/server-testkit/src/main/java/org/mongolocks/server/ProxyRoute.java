package org.mongolocks.server;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import com.mongodb.MongoClientSettings;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.connection.ClusterConnectionMode;
import com.mongodb.connection.ServerDescription;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.function.UnaryOperator;
import org.bson.Document;
import org.mongolocks.proxy.FaultProxy;

/**
 * A route to the server through a proxy of its own, so that faults on it affect no other client.
 *
 * @param proxy the proxy
 * @param connection the clients that use this route
 */
public record ProxyRoute(FaultProxy proxy, DriverClients connection) implements AutoCloseable {
    /** The size of the driver's connection pool: small enough to be exhausted by a test. */
    public static final int POOL = 4;

    /** Opens a route for a driver with or without retryable writes. */
    public static ProxyRoute to(String uri, boolean retryWrites) {
        return to(
                uri,
                settings -> settings.retryWrites(retryWrites)
                        .retryReads(retryWrites)
                        .applyToConnectionPoolSettings(pool -> pool.maxSize(POOL)));
    }

    /** Opens a route for a driver with further settings. */
    public static ProxyRoute to(String uri, UnaryOperator<MongoClientSettings.Builder> settings) {
        assumeFalse(
                DriverClients.isEncrypted(uri),
                "The connection string asks for TLS, which the proxy that injects faults cannot read");
        FaultProxy proxy = FaultProxy.before(addressOf(uri));
        return new ProxyRoute(proxy, DriverClients.of(through(proxy, uri, settings)));
    }

    /** Returns the address of the primary, as the driver found it. */
    public static InetSocketAddress addressOf(String uri) {
        MongoClient mongo = DriverClients.shared(uri).sync();
        mongo.getDatabase("admin").runCommand(new Document("ping", 1));
        ServerAddress address = mongo.getClusterDescription().getServerDescriptions().stream()
                .filter(ServerDescription::isPrimary)
                .findFirst()
                .orElseThrow()
                .getAddress();
        return new InetSocketAddress(address.getHost(), address.getPort());
    }

    /** Returns settings with which a driver sees the proxy only, and speaks a protocol that the proxy understands. */
    public static MongoClientSettings through(
            FaultProxy proxy, String uri, UnaryOperator<MongoClientSettings.Builder> settings) {
        InetSocketAddress address = proxy.address();
        ServerAddress only = new ServerAddress(address.getHostString(), address.getPort());
        return settings.apply(DriverClients.settings(uri))
                .compressorList(List.of())
                .applyToClusterSettings(cluster -> cluster.mode(ClusterConnectionMode.SINGLE)
                        .requiredReplicaSetName(null)
                        .hosts(List.of(only)))
                .build();
    }

    @Override
    public void close() {
        connection.close();
        proxy.close();
    }
}
