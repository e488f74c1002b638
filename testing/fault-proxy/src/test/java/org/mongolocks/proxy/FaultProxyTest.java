package org.mongolocks.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.MongoConnectionPoolClearedException;
import com.mongodb.MongoException;
import com.mongodb.MongoSocketException;
import com.mongodb.MongoTimeoutException;
import com.mongodb.WriteConcern;
import com.mongodb.client.ChangeStreamIterable;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FaultProxyTest extends ProxyScene {
    @Test
    void unmatchedCommandsPass() {
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
    void unacknowledgedWritePasses() throws InterruptedException {
        FaultRule trap = proxy.arm(CommandMatcher.atNext(INSERT), WireFault.none());

        collection(plain).withWriteConcern(WriteConcern.UNACKNOWLEDGED).insertOne(new Document());

        trap.awaitCaught();
        collection(plain).insertOne(new Document());
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void retryableWritesAreNumbered() {
        FaultRule trap = proxy.arm(CommandMatcher.atNext(INSERT), WireFault.none());

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
    void aTrapCatchesAsManyAsItIsAimedAt() {
        FaultRule trap = proxy.arm(new CommandMatcher(Set.of("insert"), 1, 2), WireFault.refuse(13));

        insert(plain);
        assertThatExceptionOfType(MongoCommandException.class).isThrownBy(() -> insert(plain));
        assertThatExceptionOfType(MongoCommandException.class).isThrownBy(() -> insert(plain));
        insert(plain);

        assertThat(trap.requests()).hasSize(2);
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void refusedClientFindsNoServerUntilTheProxyHeals() {
        insert(plain);
        proxy.refuse();

        Runnable insert =
                () -> collection(plain).withTimeout(200, TimeUnit.MILLISECONDS).insertOne(new Document());
        assertThatThrownBy(insert::run)
                .as("the connection is cut; the driver's monitor may find out before or meanwhile")
                .isInstanceOfAny(
                        MongoSocketException.class,
                        MongoConnectionPoolClearedException.class,
                        MongoTimeoutException.class);
        assertThatExceptionOfType(MongoTimeoutException.class).isThrownBy(insert::run);

        proxy.heal();
        insert(plain);
        assertThat(count()).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {10107, 11602, 189, 91, 11600})
    void driverFindsTheServerBeforeItsNextHeartbeatAfterAStateChangeThatWasInjected(int code) {
        insert(plain);
        for (int changes = 0; changes < 3; changes++) {
            proxy.arm(CommandMatcher.atNext(INSERT), WireFault.refuse(code));

            assertThatExceptionOfType(MongoException.class)
                    .isThrownBy(() -> insert(plain))
                    .satisfies(e -> assertThat(e.getCode()).isEqualTo(code));

            insert(plain);
        }

        assertThat(count()).isEqualTo(4);
    }

    @Test
    void nothingPassesAFrozenProxyUntilItHeals() throws Exception {
        insert(plain);
        proxy.freeze();
        CompletableFuture<Void> inserting = CompletableFuture.runAsync(() -> insert(plain));

        assertThat(count()).isEqualTo(1);
        assertThat(inserting).isNotDone();
        proxy.heal();

        inserting.get();
        assertThat(count()).isEqualTo(2);
    }

    @Test
    void closingEndsAllConnectionsAndThreads() throws Exception {
        insert(plain);
        FaultRule trap = proxy.arm(CommandMatcher.atNext(INSERT), WireFault.holdReply(WireFault.none()));
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

        while (proxy.connections() > 0) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @Test
    void matcherWithoutCommandsIsRefused() {
        assertThatThrownBy(() -> CommandMatcher.atNext(List.of()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at least one of some commands");
    }
}
