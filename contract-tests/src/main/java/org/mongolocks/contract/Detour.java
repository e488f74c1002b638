package org.mongolocks.contract;

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
 * Is a way to a server that leads through a proxy of its own, so that whatever happens on it happens to nobody else.
 *
 * @param proxy the proxy
 * @param connection the clients that go through it
 */
record Detour(FaultProxy proxy, Connection connection) implements AutoCloseable {
    /** The connections that a driver may have at a time: few enough to be used up. */
    static final int POOL = 4;

    /** Opens a way on which a driver retries, or does not. */
    static Detour to(String uri, boolean retryWrites) {
        return to(
                uri,
                settings -> settings.retryWrites(retryWrites)
                        .retryReads(retryWrites)
                        .applyToConnectionPoolSettings(pool -> pool.maxSize(POOL)));
    }

    /** Opens a way for a driver with further settings. */
    static Detour to(String uri, UnaryOperator<MongoClientSettings.Builder> settings) {
        assumeFalse(
                Connection.isEncrypted(uri),
                "The connection string asks for TLS, into which the proxy that injects faults cannot see");
        FaultProxy proxy = FaultProxy.before(addressOf(uri));
        return new Detour(proxy, Connection.of(through(proxy, uri, settings)));
    }

    /** Says where the server is that takes writes, as the driver found it. */
    static InetSocketAddress addressOf(String uri) {
        MongoClient mongo = Connection.shared(uri).sync();
        mongo.getDatabase("admin").runCommand(new Document("ping", 1));
        ServerAddress address = mongo.getClusterDescription().getServerDescriptions().stream()
                .filter(ServerDescription::isPrimary)
                .findFirst()
                .orElseThrow()
                .getAddress();
        return new InetSocketAddress(address.getHost(), address.getPort());
    }

    /** Makes settings by which a driver sees the proxy alone, and speaks to it so that it understands. */
    static MongoClientSettings through(
            FaultProxy proxy, String uri, UnaryOperator<MongoClientSettings.Builder> settings) {
        InetSocketAddress address = proxy.address();
        ServerAddress only = new ServerAddress(address.getHostString(), address.getPort());
        return settings.apply(Connection.settings(uri))
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
