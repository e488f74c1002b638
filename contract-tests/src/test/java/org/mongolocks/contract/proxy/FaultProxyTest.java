package org.mongolocks.contract.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoCommandException;
import com.mongodb.MongoNotPrimaryException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.ServerAddress;
import com.mongodb.WriteConcern;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import com.mongodb.connection.ClusterConnectionMode;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.embedded.EmbeddedMongo;

class FaultProxyTest {
    private static final List<String> INSERT = List.of("insert");

    private final EmbeddedMongo mongo = EmbeddedMongo.start();
    private final ServerAddress server = addressOf(mongo.connectionString());
    private final FaultProxy proxy = FaultProxy.before(new InetSocketAddress(server.getHost(), server.getPort()));
    private final List<MongoClient> clients = new ArrayList<>();
    private final MongoClient direct = client(server, true);
    private final MongoClient retrying = client(proxied(), true);
    private final MongoClient plain = client(proxied(), false);

    @AfterEach
    void close() {
        proxy.heal();
        clients.forEach(MongoClient::close);
        proxy.close();
        mongo.close();
    }

    @Test
    void whatIsNotCaughtPasses() {
        insert(plain);

        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aLongMessagePasses() {
        String text = "x".repeat(5_000_000);

        collection(plain).insertMany(List.of(new Document("t", text), new Document("t", text)));

        assertThat(collection(plain)
                        .find()
                        .map(found -> found.getString("t").length())
                        .into(new ArrayList<>()))
                .containsExactly(text.length(), text.length());
    }

    @Test
    void aWriteThatNobodyAwaitsPasses() throws InterruptedException {
        Trap trap = proxy.arm(Aim.atNext(INSERT), WireFault.none());

        collection(plain).withWriteConcern(WriteConcern.UNACKNOWLEDGED).insertOne(new Document());

        trap.awaitCaught();
        collection(plain).insertOne(new Document());
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void retryableWritesAreNumbered() {
        Trap trap = proxy.arm(Aim.atNext(INSERT), WireFault.none());

        insert(retrying);

        assertThat(trap.requests())
                .singleElement()
                .satisfies(request -> assertThat(request.keySet()).contains("lsid", "txnNumber"));
    }

    @Test
    void transactionsPass() {
        insert(direct);
        try (ClientSession session = plain.startSession()) {
            session.startTransaction();
            collection(plain).insertOne(session, new Document());
            assertThat(count()).isEqualTo(1);
            session.commitTransaction();
        }

        assertThat(count()).isEqualTo(2);
    }

    @Test
    void changeStreamsPass() {
        ChangeStreamIterable<Document> changes = collection(plain).watch();
        try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> cursor = changes.cursor()) {
            insert(direct);

            assertThat(cursor.next().getFullDocument()).isNotNull();
        }
    }

    @Test
    void aLostRequestIsNotExecuted() {
        proxy.arm(Aim.atNext(INSERT), WireFault.loseRequest());

        assertThatExceptionOfType(MongoSocketException.class).isThrownBy(() -> insert(plain));

        assertThat(count()).isZero();
    }

    @Test
    void aRequestWhoseReplyIsLostIsExecuted() {
        proxy.arm(Aim.atNext(INSERT), WireFault.loseReply());

        assertThatExceptionOfType(MongoSocketException.class).isThrownBy(() -> insert(plain));

        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aNumberedWriteWhoseReplyIsLostIsExecutedOnce() {
        proxy.arm(Aim.atNext(INSERT), WireFault.loseReply());

        insert(retrying);

        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aResetIsSeenWhileTheRequestIsExecuted() throws InterruptedException {
        Trap trap = proxy.arm(Aim.atNext(INSERT), WireFault.reset());

        assertThatExceptionOfType(MongoSocketException.class).isThrownBy(() -> insert(plain));

        trap.awaitExecuted();
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aReplyIsHeldUntilItIsReleased() throws InterruptedException {
        Trap trap = proxy.arm(Aim.atNext(INSERT), WireFault.holdReply(WireFault.none()));
        CompletableFuture<Void> inserting = CompletableFuture.runAsync(() -> insert(plain));
        trap.awaitExecuted();

        assertThat(count()).isEqualTo(1);
        assertThat(inserting).isNotDone();
        trap.release();

        assertThat(inserting).succeedsWithin(10, TimeUnit.SECONDS);
    }

    @Test
    void aRequestIsHeldUntilItIsReleased() throws InterruptedException {
        Trap trap = proxy.arm(Aim.atNext(INSERT), WireFault.holdRequest());
        CompletableFuture<Void> inserting = CompletableFuture.runAsync(() -> insert(plain));
        trap.awaitCaught();

        assertThat(count()).isZero();
        trap.release();

        assertThat(inserting).succeedsWithin(10, TimeUnit.SECONDS);
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aRequestIsExecutedLateThoughItsSenderHasGone() throws InterruptedException {
        Trap trap = proxy.arm(Aim.atNext(INSERT), WireFault.holdRequest());
        CompletableFuture<Void> inserting = CompletableFuture.runAsync(
                () -> collection(plain).withTimeout(200, TimeUnit.MILLISECONDS).insertOne(new Document()));
        assertThatThrownBy(inserting::join).isInstanceOf(CompletionException.class);
        plain.close();
        assertThat(count()).isZero();

        trap.release();

        trap.awaitExecuted();
        assertThat(count()).isEqualTo(1);
        assertThat(trap.replies())
                .singleElement()
                .satisfies(reply -> assertThat(reply.getNumber("n").intValue()).isEqualTo(1));
    }

    @Test
    void aDelayedRequestComesAfterItsRepetition() throws InterruptedException {
        Trap trap = proxy.arm(Aim.atNext(INSERT), WireFault.delay());

        insert(retrying);
        trap.release();

        trap.awaitExecuted();
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aRefusalIsNotExecutedAndAFailureAfterwardsIs() {
        proxy.arm(Aim.atNext(INSERT), WireFault.refuse(10107));
        assertThatExceptionOfType(MongoNotPrimaryException.class).isThrownBy(() -> insert(plain));
        assertThat(count()).isZero();

        proxy.arm(Aim.atNext(INSERT), WireFault.failAfterwards(189));
        assertThatExceptionOfType(MongoCommandException.class).isThrownBy(() -> insert(plain));
        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aDriverRetriesWhatTheServerWouldHaveItRetry() {
        proxy.arm(Aim.atNext(INSERT), WireFault.refuse(10107));
        insert(retrying);
        proxy.arm(Aim.atNext(INSERT), WireFault.doubtDurability(91));
        insert(retrying);

        assertThat(count()).isEqualTo(2);
    }

    @Test
    void aDoubtComesWithTheRealReply() {
        proxy.arm(Aim.atNext(INSERT), WireFault.doubtDurability(64));

        assertThatExceptionOfType(MongoWriteConcernException.class)
                .isThrownBy(() -> insert(retrying))
                .satisfies(e -> assertThat(e.getCode()).isEqualTo(64))
                .satisfies(e -> assertThat(e.getWriteResult().wasAcknowledged()).isTrue());

        assertThat(count()).isEqualTo(1);
    }

    @Test
    void aTrapCatchesAsManyAsItIsAimedAt() {
        Trap trap = proxy.arm(new Aim(Set.of("insert"), 1, 2), WireFault.refuse(13));

        insert(plain);
        assertThatExceptionOfType(MongoCommandException.class).isThrownBy(() -> insert(plain));
        assertThatExceptionOfType(MongoCommandException.class).isThrownBy(() -> insert(plain));
        insert(plain);

        assertThat(trap.requests()).hasSize(2);
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void whoIsRefusedFindsNoServerUntilTheProxyHeals() {
        insert(plain);
        proxy.refuse();

        assertThatExceptionOfType(MongoSocketException.class).isThrownBy(() -> insert(plain));
        assertThatExceptionOfType(MongoTimeoutException.class)
                .isThrownBy(() -> collection(plain)
                        .withTimeout(200, TimeUnit.MILLISECONDS)
                        .insertOne(new Document()));

        proxy.heal();
        insert(plain);
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void nothingPassesAFrozenProxyUntilItHeals() {
        insert(plain);
        proxy.freeze();
        CompletableFuture<Void> inserting = CompletableFuture.runAsync(() -> insert(plain));

        assertThat(count()).isEqualTo(1);
        assertThat(inserting).isNotDone();
        proxy.heal();

        assertThat(inserting).succeedsWithin(10, TimeUnit.SECONDS);
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void closingEndsAllConnectionsAndThreads() throws Exception {
        insert(plain);
        Trap trap = proxy.arm(Aim.atNext(INSERT), WireFault.holdReply(WireFault.none()));
        CompletableFuture<Void> inserting = CompletableFuture.runAsync(() -> insert(plain));
        trap.awaitExecuted();
        assertThat(proxy.connections()).isPositive();

        proxy.close();

        assertThat(proxy.connections()).isZero();
        assertThatThrownBy(inserting::join).hasCauseInstanceOf(MongoSocketException.class);
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .noneMatch(thread -> thread.startsWith(proxy.name() + "-"));
    }

    @Test
    void connectionsOfDriversThatHaveGoneAreClosed() throws Exception {
        insert(plain);

        plain.close();
        retrying.close();

        soon(() -> proxy.connections() == 0);
    }

    @Test
    void anAimAtNothingIsRefused() {
        assertThatThrownBy(() -> Aim.atNext(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one of some commands");
    }

    private ServerAddress proxied() {
        return new ServerAddress(
                proxy.address().getHostString(), proxy.address().getPort());
    }

    private MongoClient client(ServerAddress address, boolean retryWrites) {
        MongoClient client = MongoClients.create(MongoClientSettings.builder()
                .retryWrites(retryWrites)
                .retryReads(false)
                .applyToServerSettings(settings -> settings.minHeartbeatFrequency(20, TimeUnit.MILLISECONDS))
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

    private static void insert(MongoClient through) {
        collection(through).insertOne(new Document());
    }

    private long count() {
        return collection(direct).countDocuments();
    }

    private static MongoCollection<Document> collection(MongoClient through) {
        return through.getDatabase("proxied").getCollection("things");
    }

    private static void soon(Callable<Boolean> condition) throws Exception {
        long deadlineNanos = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
        while (!condition.call() && System.nanoTime() - deadlineNanos < 0) {
            Thread.onSpinWait();
        }
        assertThat(condition.call()).isTrue();
    }
}
