package org.mongolocks.contract.lease;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockName;
import org.mongolocks.LossReason;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.Shipped;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;

/** Tests of the reason for which a lock was lost before the end of its lease, with each strategy on both drivers. */
@ParameterizedClass(name = "{0}")
@EnumSource(Driver.class)
@ExtendWith(DroppedDatabase.class)
class LossReasonTest {
    private static final Duration TTL = Duration.ofMinutes(5);

    @Parameter
    private Driver driver = Driver.SYNC;

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String collection = "losses-" + UUID.randomUUID();
    private final LockName name = LockName.of("lost");

    static Stream<String> strategies() {
        return Shipped.names();
    }

    @ParameterizedTest
    @MethodSource("strategies")
    @Tag("finds:forced-release-unexplained")
    void releaseThatFindsAForcedReleaseReportsIt(String strategy) throws Exception {
        try (BlockingLocks locks = build(strategy);
                BlockingLocks operator = build(strategy)) {
            BlockingLock held = locks.tryAcquire(name, TTL).orElseThrow();
            CompletableFuture<LossReason> heard = new CompletableFuture<>();
            held.onLost((lease, reason) -> heard.complete(reason));
            assertThat(operator.forceRelease(operator.inspect(name).orElseThrow()))
                    .isTrue();

            assertThat(held.release()).isFalse();

            assertThat(held.loss()).contains(LossReason.FORCED);
            assertThat(heard.get(30, TimeUnit.SECONDS)).isEqualTo(LossReason.FORCED);
        }
    }

    @ParameterizedTest
    @MethodSource("strategies")
    @Tag("finds:dropped-collection-expired")
    void releaseThatFindsTheCollectionDroppedReportsAChangeFromOutside(String strategy) throws Exception {
        try (BlockingLocks locks = build(strategy)) {
            BlockingLock held = locks.tryAcquire(name, TTL).orElseThrow();
            stored().drop();

            assertThat(held.release()).isFalse();

            assertThat(held.loss()).contains(LossReason.TAKEN_OVER);
        }
    }

    @ParameterizedTest
    @MethodSource("strategies")
    @Tag("finds:dropped-collection-expired")
    void renewalThatFindsTheCollectionDroppedReportsAChangeFromOutside(String strategy) throws Exception {
        try (BlockingLocks locks = build(strategy)) {
            BlockingLock held = locks.tryAcquire(name, TTL).orElseThrow();
            stored().drop();

            assertThat(held.renew()).isFalse();

            assertThat(held.loss()).contains(LossReason.TAKEN_OVER);
        }
    }

    @ParameterizedTest
    @MethodSource("strategies")
    void renewalThatFindsItsOwnerRemovedReportsAChangeFromOutside(String strategy) throws Exception {
        try (BlockingLocks locks = build(strategy)) {
            BlockingLock held = locks.tryAcquire(name, TTL).orElseThrow();
            stored().updateOne(new Document(), new Document("$unset", new Document("owner", true)));

            assertThat(held.renew()).isFalse();

            assertThat(held.loss()).contains(LossReason.TAKEN_OVER);
        }
    }

    private MongoCollection<Document> stored() {
        return connection.sync().getDatabase(LockContract.DATABASE).getCollection(collection);
    }

    private BlockingLocks build(String strategy) throws InterruptedException {
        return driver.build(
                connection,
                LockContract.DATABASE,
                builder -> builder.strategy(Shipped.supported(strategy)).collection(collection));
    }
}
