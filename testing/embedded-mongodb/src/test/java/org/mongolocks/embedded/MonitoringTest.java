package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.ConnectionString;
import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.connection.ServerMonitoringMode;
import com.mongodb.connection.ServerType;
import com.mongodb.event.ServerDescriptionChangedEvent;
import com.mongodb.event.ServerHeartbeatSucceededEvent;
import com.mongodb.event.ServerListener;
import com.mongodb.event.ServerMonitorListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.bson.BsonDocument;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.embedded.support.Bson;
import org.mongolocks.embedded.support.RawClient;
import org.mongolocks.embedded.support.TestEngine;

/** How clients watch the state of the server, over the wire: by waiting for each change, or by polling. */
@Timeout(60)
class MonitoringTest {
    private static final int EXHAUST_ALLOWED = 1 << 16;
    private static final int MORE_TO_COME = 1 << 1;
    private static final int HEADER = 21;
    private static final Duration PERIOD = Duration.ofMinutes(10);

    /** So long that no client learns of anything by asking again. */
    private static final Duration NEVER = Duration.ofHours(1);

    private final MovableClock still = MovableClock.startingAt(TestEngine.START);
    private EmbeddedMongo server = EmbeddedMongo.builder().clock(still).start();

    @AfterEach
    void close() {
        server.close();
    }

    @ParameterizedTest
    @CsvSource({"hello, isWritablePrimary", "isMaster, ismaster", "ismaster, ismaster"})
    void replyFollowsReplyWithoutARequest(String name, String isPrimary) throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send(hello(name, client, 1), EXHAUST_ALLOWED);

            ByteBuffer first = message(client);
            ByteBuffer second = message(client);
            ByteBuffer third = message(client);

            assertThat(answers(first)).isEqualTo(2);
            assertThat(answers(second)).isEqualTo(id(first));
            assertThat(answers(third)).isEqualTo(id(second));
            assertThat(flags(third)).isEqualTo(MORE_TO_COME);
            assertThat(body(third).getBoolean(isPrimary).getValue()).isTrue();
        }
    }

    @Test
    void exhaustRepliesReportEachState() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send(hello(client, NEVER.toMillis()), EXHAUST_ALLOWED);
            awaitWaiting(1);

            server.stepDown(PERIOD);
            server.stepUp();

            assertThat(state(client)).isEqualTo("false false");
            String next = state(client);
            assertThat(next).isIn("false true", "true false");
            assertThat(next.equals("true false") ? next : state(client)).isEqualTo("true false");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"hello", "isMaster"})
    void errorEndsTheReplies(String name) throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            BsonDocument command = BsonDocument.parse("{" + name + ": 1, $db: 'admin'}");
            client.send(command, EXHAUST_ALLOWED);

            ByteBuffer refused = message(client);
            assertThat(flags(refused)).isZero();
            assertThat(body(refused).getInt32("code").getValue()).isEqualTo(51_756);
            assertThat(client.run(command)).isNotNull();
        }
    }

    @Test
    void helloWaitsInRealTimeWhenTheServerClockIsSetBack() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            assertThat(client.run(hello(client, 20))).isNotNull();
            still.advance(Duration.ofDays(-1));
            assertThat(client.run(hello(client, 20))).isNotNull();
        }
    }

    @Test
    void waitEndsWhenTheClockOfTheServerIsMoved() throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send(hello(client, NEVER.toMillis()));
            awaitWaiting(1);

            still.advance(NEVER);

            assertThat(client.receive()).isNotNull();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, EXHAUST_ALLOWED})
    void clientThatDisconnectsWhileItWaitsIsRemoved(int flags) throws IOException {
        try (RawClient client = new RawClient(server.port())) {
            client.send(hello(client, NEVER.toMillis()), flags);
            awaitWaiting(1);
        }

        awaitWaiting(0);
        awaitConnections(1);
    }

    @ParameterizedTest
    @EnumSource(ServerMonitoringMode.class)
    void driverWatchesTheServerInEachMode(ServerMonitoringMode mode) throws Exception {
        BlockingQueue<Boolean> heartbeats = new LinkedBlockingQueue<>();
        ServerMonitorListener listener = new ServerMonitorListener() {
            @Override
            public void serverHeartbeatSucceeded(ServerHeartbeatSucceededEvent event) {
                heartbeats.add(event.isAwaited());
            }
        };
        MongoClientSettings settings = settings()
                .applyToServerSettings(settled -> settled.serverMonitoringMode(mode)
                        .heartbeatFrequency(500, TimeUnit.MILLISECONDS)
                        .addServerMonitorListener(listener))
                .build();
        try (MongoClient client = MongoClients.create(settings)) {
            client.getDatabase("test").getCollection("c").insertOne(new Document());

            if (mode == ServerMonitoringMode.POLL) {
                assertThat(List.of(heartbeats.take(), heartbeats.take(), heartbeats.take()))
                        .containsOnly(false);
            } else {
                awaitTrue(heartbeats);
            }
        }

        awaitConnections(1);
    }

    @Test
    void driverLearnsOfAStepDownByTheWaitingHello() throws InterruptedException {
        BlockingQueue<ServerType> types = new LinkedBlockingQueue<>();
        try (MongoClient client = MongoClients.create(settings(types, NEVER, ServerMonitoringMode.AUTO))) {
            awaitType(types, ServerType.REPLICA_SET_PRIMARY);
            awaitWaiting(1);

            server.stepDown(PERIOD);
            awaitType(types, ServerType.REPLICA_SET_SECONDARY);
            CompletableFuture<Void> write = insert(client);
            server.stepUp();
            awaitType(types, ServerType.REPLICA_SET_PRIMARY);
            write.join();

            assertThat(collection(client).countDocuments()).isEqualTo(1);
        }
    }

    @Test
    void stepDownIsForPrimariesOfReplicaSets() {
        server.stepUp();
        server.stepDown(PERIOD);
        assertThatIllegalStateException().isThrownBy(() -> server.stepDown(PERIOD));
        assertThatIllegalArgumentException().isThrownBy(() -> server.stepDown(Duration.ZERO));

        restart(EmbeddedMongo.builder().standalone());
        assertThatIllegalStateException().isThrownBy(() -> server.stepDown(PERIOD));
        assertThatIllegalStateException().isThrownBy(server::stepUp);
    }

    private void restart(EmbeddedMongo.Builder builder) {
        server.close();
        server = builder.start();
    }

    private MongoClientSettings.Builder settings() {
        return MongoClientSettings.builder().applyConnectionString(new ConnectionString(server.connectionString()));
    }

    private MongoClientSettings settings(
            BlockingQueue<ServerType> types, Duration heartbeat, ServerMonitoringMode mode) {
        ServerListener listener = new ServerListener() {
            @Override
            public void serverDescriptionChanged(ServerDescriptionChangedEvent event) {
                types.add(event.getNewDescription().getType());
            }
        };
        return settings()
                .applyToServerSettings(settled -> settled.serverMonitoringMode(mode)
                        .heartbeatFrequency(heartbeat.toMillis(), TimeUnit.MILLISECONDS)
                        .addServerListener(listener))
                .build();
    }

    private static void awaitTrue(BlockingQueue<Boolean> facts) throws InterruptedException {
        boolean next = facts.take();
        while (!next) {
            next = facts.take();
        }
    }

    private static void awaitType(BlockingQueue<ServerType> types, ServerType wanted) throws InterruptedException {
        ServerType next = types.take();
        while (next != wanted) {
            next = types.take();
        }
    }

    private static MongoCollection<Document> collection(MongoClient client) {
        return client.getDatabase("test").getCollection("c");
    }

    private static CompletableFuture<Void> insert(MongoClient client) {
        MongoCollection<Document> durable = collection(client).withWriteConcern(WriteConcern.MAJORITY);
        return CompletableFuture.runAsync(() -> durable.insertOne(new Document("_id", 1)));
    }

    private void awaitWaiting(int count) {
        while (status().getInt64("awaitingTopologyChanges").getValue() != count) {
            Thread.onSpinWait();
        }
    }

    private void awaitConnections(int count) {
        while (status().getInt32("current").getValue() != count) {
            Thread.onSpinWait();
        }
    }

    private BsonDocument status() {
        try (RawClient client = new RawClient(server.port())) {
            BsonDocument command = BsonDocument.parse("{serverStatus: 1, $db: 'admin'}");
            return Objects.requireNonNull(client.run(command)).getDocument("connections");
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static BsonDocument version(RawClient client) throws IOException {
        return Objects.requireNonNull(client.run(BsonDocument.parse("{isMaster: 1, $db: 'admin'}")))
                .getDocument("topologyVersion");
    }

    private static BsonDocument hello(RawClient client, long awaitMillis) throws IOException {
        return hello("hello", client, awaitMillis);
    }

    private static BsonDocument hello(String name, RawClient client, long awaitMillis) throws IOException {
        return BsonDocument.parse(
                        "{" + name + ": 1, maxAwaitTimeMS: {$numberLong: '" + awaitMillis + "'}, $db: 'admin'}")
                .append("topologyVersion", version(client));
    }

    private static String state(RawClient client) throws IOException {
        BsonDocument reply = body(message(client));
        return reply.getBoolean("isWritablePrimary").getValue() + " "
                + reply.getBoolean("secondary").getValue();
    }

    private static ByteBuffer message(RawClient client) throws IOException {
        return ByteBuffer.wrap(Objects.requireNonNull(client.receiveBytes())).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static int id(ByteBuffer message) {
        return message.getInt(4);
    }

    private static int answers(ByteBuffer message) {
        return message.getInt(8);
    }

    private static int flags(ByteBuffer message) {
        return message.getInt(16);
    }

    private static BsonDocument body(ByteBuffer message) {
        byte[] document = new byte[message.capacity() - HEADER];
        message.get(HEADER, document);
        return Bson.parse(document);
    }
}
