package org.mongolocks.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.bson.BsonObjectId;
import org.bson.types.ObjectId;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that act as driver and server, to send messages in rare orders. */
@Timeout(value = 30, unit = TimeUnit.SECONDS, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class ProxyConnectionTest {
    private static final BsonDocument OK = new BsonDocument("ok", new BsonInt32(1));
    private static final ObjectId PROCESS = new ObjectId();

    private final ServerSocket listener;
    private final FaultProxy proxy;
    private final Socket driver;
    private final Socket server;

    ProxyConnectionTest() throws IOException {
        listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        proxy = FaultProxy.before((InetSocketAddress) listener.getLocalSocketAddress());
        driver = new Socket(proxy.address().getAddress(), proxy.address().getPort());
        server = listener.accept();
    }

    @AfterEach
    void close() throws IOException {
        driver.close();
        proxy.close();
        server.close();
        listener.close();
    }

    @Test
    void replyThatFindsNoDriverDoesNotStopADelayedRequest() throws Exception {
        FaultRule trap = proxy.arm(CommandMatcher.atNext(List.of("insert")), WireFault.delay());
        send(driver, command(1, "find"));
        WireMessage first = receive(server);
        send(driver, command(2, "insert"));
        assertThat(WireMessage.read(driver.getInputStream())).isEmpty();

        send(server, WireMessage.answering(first, OK));
        trap.release();

        WireMessage late = receive(server);
        assertThat(late.command()).contains("insert");
        send(server, WireMessage.answering(late, OK));
        trap.awaitExecuted();
    }

    @ParameterizedTest
    @ValueSource(ints = {189, 10107, 11602, 13435, 13436})
    @Tag("finds:faults-without-topology")
    void errorOfAStateChangeHasANewerVersionThanTheServer(int code) throws Exception {
        proxy.arm(CommandMatcher.atNext(List.of("insert")), WireFault.refuse(code));
        assertThat(versionAfter(greeting(1), 6)).isEqualTo(version(6));

        assertThat(reply(command(2, "insert"))).containsEntry("topologyVersion", version(7));

        assertThat(versionAfter(greeting(3), 6)).isEqualTo(version(7));
        assertThat(versionAfter(greeting(4), 8)).isEqualTo(version(9));
    }

    @ParameterizedTest
    @ValueSource(ints = {91, 11600, 112, 64})
    void otherErrorHasNoVersion(int code) throws Exception {
        proxy.arm(CommandMatcher.atNext(List.of("insert")), WireFault.refuse(code));
        versionAfter(greeting(1), 6);

        assertThat(reply(command(2, "insert"))).doesNotContainKey("topologyVersion");
    }

    @Test
    void errorHasNoVersionWhereTheServerHasNone() throws Exception {
        proxy.arm(CommandMatcher.atNext(List.of("insert")), WireFault.refuse(10107));

        assertThat(reply(command(1, "insert"))).doesNotContainKey("topologyVersion");
    }

    @Test
    void aFailedWriteConcernAfterAStateChangeHasANewerVersion() throws Exception {
        proxy.arm(CommandMatcher.atNext(List.of("insert")), WireFault.failWriteConcern(11602));
        versionAfter(greeting(1), 6);
        send(driver, command(2, "insert"));
        send(server, WireMessage.answering(receive(server), OK));

        assertThat(receive(driver).body().orElseThrow())
                .containsEntry("topologyVersion", version(7))
                .containsKey("writeConcernError");
    }

    @Test
    void greetingThatWaitsHasTheVersionOfTheServerAndWaitsShortly() throws Exception {
        proxy.arm(CommandMatcher.atNext(List.of("insert")), WireFault.refuse(10107));
        versionAfter(greeting(1), 6);
        reply(command(2, "insert"));

        send(driver, waiting(3, 7));

        assertThat(receive(server).body().orElseThrow())
                .containsEntry("topologyVersion", version(6))
                .containsEntry("maxAwaitTimeMS", new BsonInt64(TopologyVersions.MAX_WAIT_MILLIS));
    }

    @Test
    void greetingOfADriverThatIsBehindHasNoCounterBelowZero() throws Exception {
        proxy.arm(CommandMatcher.atNext(List.of("insert")), WireFault.refuse(10107));
        versionAfter(greeting(1), 0);
        reply(command(2, "insert"));

        send(driver, waiting(3, 0));

        assertThat(receive(server).body().orElseThrow()).containsEntry("topologyVersion", version(0));
    }

    /** Replies to a {@code hello} with a version, and returns the version that the driver sees. */
    private BsonDocument versionAfter(WireMessage greeting, long counter) throws IOException {
        send(driver, greeting);
        BsonDocument told = OK.clone().append("topologyVersion", version(counter));
        send(server, WireMessage.answering(receive(server), told));
        return receive(driver).body().orElseThrow().getDocument("topologyVersion");
    }

    private BsonDocument reply(WireMessage request) throws IOException {
        send(driver, request);
        return receive(driver).body().orElseThrow();
    }

    private static WireMessage greeting(int id) {
        return command(id, "hello");
    }

    private static WireMessage waiting(int id, long counter) {
        BsonDocument hello = new BsonDocument("hello", new BsonInt32(1))
                .append("topologyVersion", version(counter))
                .append("maxAwaitTimeMS", new BsonInt64(10_000));
        return WireMessage.of(id, 0, hello);
    }

    private static BsonDocument version(long counter) {
        return new BsonDocument("processId", new BsonObjectId(PROCESS)).append("counter", new BsonInt64(counter));
    }

    private static WireMessage command(int id, String name) {
        return WireMessage.of(id, 0, new BsonDocument(name, new BsonInt32(1)));
    }

    private static void send(Socket to, WireMessage message) throws IOException {
        to.getOutputStream().write(message.bytes());
    }

    private static WireMessage receive(Socket from) throws IOException {
        return WireMessage.read(from.getInputStream()).orElseThrow();
    }
}
