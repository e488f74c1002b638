package org.mongolocks.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoDatabase;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.proxy.FaultProxy;

class ServerPaceTest {
    private static final Duration WRITE = Duration.ofMillis(150);

    @Test
    @Tag("finds:contract-hasty-lease")
    void leasesAndTimeoutsAreLongerThanTheCommandsOfASlowServer() {
        try (EmbeddedMongo mongo = EmbeddedMongo.start();
                FaultProxy slow = FaultProxy.slow(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), mongo.port()),
                        "update"::equals,
                        WRITE)) {
            String uri = "mongodb://127.0.0.1:" + slow.address().getPort() + "/?directConnection=true";
            RealTimeServer server = RealTimeServer.at("a slow server", uri);
            MongoDatabase database = DriverClients.shared(uri).sync().getDatabase(ContractServer.DATABASE);

            ServerPace.measure(database);

            assertThat(server.now().ttl()).isGreaterThanOrEqualTo(WRITE.multipliedBy(60));
            assertThat(server.now().timeout()).isGreaterThanOrEqualTo(WRITE.multipliedBy(10));
            assertThat(ServerFinder.embedded().timeout()).isGreaterThanOrEqualTo(WRITE.multipliedBy(10));
        }
    }
}
