package org.mongolocks.proxy;

import com.mongodb.MongoClientSettings;
import com.mongodb.ServerAddress;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.connection.ClusterConnectionMode;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.mongolocks.embedded.EmbeddedMongo;

/** A fixture with a server, a proxy in front of it, and drivers that connect through the proxy or directly. */
abstract class ProxyScene {
    static final List<String> INSERT = List.of("insert");

    private final EmbeddedMongo mongo = EmbeddedMongo.start();
    private final ServerAddress server = addressOf(mongo.connectionString());
    final FaultProxy proxy = FaultProxy.before(new InetSocketAddress(server.getHost(), server.getPort()));
    private final List<MongoClient> clients = new ArrayList<>();
    final MongoClient direct = client(server, true);
    final MongoClient retrying = client(proxied(), true);
    final MongoClient plain = client(proxied(), false);

    @AfterEach
    void close() {
        proxy.heal();
        // A driver that closes sends a last command, and would wait for the reply on a forgotten connection.
        proxy.cut();
        clients.forEach(MongoClient::close);
        proxy.close();
        mongo.close();
    }

    private ServerAddress proxied() {
        return new ServerAddress(
                proxy.address().getHostString(), proxy.address().getPort());
    }

    private MongoClient client(ServerAddress address, boolean retryWrites) {
        MongoClient client = MongoClients.create(MongoClientSettings.builder()
                .retryWrites(retryWrites)
                .retryReads(false)
                .applyToServerSettings(settings -> settings.heartbeatFrequency(5, TimeUnit.MINUTES)
                        .minHeartbeatFrequency(20, TimeUnit.MILLISECONDS))
                .applyToClusterSettings(
                        cluster -> cluster.mode(ClusterConnectionMode.SINGLE).hosts(List.of(address)))
                .build());
        clients.add(client);
        return client;
    }

    private static ServerAddress addressOf(String uri) {
        return new ServerAddress(
                new com.mongodb.ConnectionString(uri).getHosts().get(0));
    }

    static void insert(MongoClient through) {
        collection(through).insertOne(new Document());
    }

    final long count() {
        return collection(direct).countDocuments();
    }

    static MongoCollection<Document> collection(MongoClient through) {
        return through.getDatabase("proxied").getCollection("things");
    }
}
