package org.mongolocks.contract.operate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.ReplaceOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.Document;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockName;
import org.mongolocks.LockStorageException;
import org.mongolocks.SchemaMode;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.server.DriverClients;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * Tests which strategies run on a server without update pipelines: those without the server's clock. The others are
 * refused when a client is built, whatever wire version the server claims.
 */
class WithoutUpdatePipelinesTest {
    private static final Duration TTL = Duration.ofMinutes(1);
    private static final String DATABASE = "without-pipelines";
    private static final int WIRE_VERSION_4_2 = 8;
    private static final int WIRE_VERSION_4_4 = 9;

    private static final EmbeddedMongo OLD =
            EmbeddedMongo.builder().withoutUpdatePipelines(WIRE_VERSION_4_2).start();
    private static final EmbeddedMongo LOOK_ALIKE =
            EmbeddedMongo.builder().withoutUpdatePipelines(WIRE_VERSION_4_4).start();

    @AfterAll
    static void stop() {
        OLD.close();
        LOOK_ALIKE.close();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("org.mongolocks.contract.Shipped#names")
    void aStrategyRunsOrIsRefusedWhenItsClientIsBuilt(String name) throws Exception {
        LockStrategy strategy = LockStrategies.named(name);
        for (Driver driver : Driver.values()) {
            if (strategy.traits().contains(Trait.SERVER_CLOCK)) {
                assertThatThrownBy(() -> build(OLD, driver, strategy))
                        .isInstanceOf(LockStorageException.class)
                        .hasMessageContainingAll(
                                "'" + name + "'", "4.4", "wire version 8", Trait.CLOCK_FREE.toString());
            } else {
                assertAcquiresRenewsAndReleases(OLD, driver, strategy);
            }
        }
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("org.mongolocks.contract.Shipped#names")
    void aServerThatClaimsToBeNewerIsTreatedTheSame(String name) throws Exception {
        LockStrategy strategy = LockStrategies.named(name);
        for (Driver driver : Driver.values()) {
            if (strategy.traits().contains(Trait.SERVER_CLOCK)) {
                for (SchemaMode mode : SchemaMode.values()) {
                    assertThatThrownBy(() -> build(LOOK_ALIKE, driver, strategy, mode))
                            .isInstanceOf(LockStorageException.class)
                            .hasMessageContainingAll(
                                    "'" + name + "'", "update pipelines", "code 9", Trait.CLOCK_FREE.toString())
                            .hasRootCauseInstanceOf(MongoCommandException.class);
                }
                assertThat(collections(LOOK_ALIKE)).doesNotContain("locks." + name);
            } else {
                assertAcquiresRenewsAndReleases(LOOK_ALIKE, driver, strategy);
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void noDocumentAndNoCollectionIsWrittenToFindOut(SchemaMode mode) throws Exception {
        try (EmbeddedMongo server = EmbeddedMongo.start();
                DriverClients connection = DriverClients.of(
                        DriverClients.settings(server.connectionString()).build())) {
            MongoDatabase local = connection.sync().getDatabase("local");
            for (Driver driver : Driver.values()) {
                driver.build(
                                connection,
                                DATABASE,
                                builder -> builder.strategy("flag-update").collection("other"))
                        .close();
                MongoCollection<Document> existing =
                        connection.sync().getDatabase(DATABASE).getCollection("other");
                existing.replaceOne(
                        new Document("_id", ""),
                        new Document("format", "flag-update/3"),
                        new ReplaceOptions().upsert(true));
                long before = local.getCollection("oplog.rs").countDocuments();

                driver.build(
                                connection,
                                DATABASE,
                                builder -> builder.strategy("flag-update")
                                        .collection("other")
                                        .schema(mode))
                        .close();

                assertThat(local.getCollection("oplog.rs").countDocuments()).isEqualTo(before);
            }
        }
    }

    private static void assertAcquiresRenewsAndReleases(EmbeddedMongo server, Driver driver, LockStrategy strategy)
            throws Exception {
        LockName name = LockName.of("a-" + driver);
        try (BlockingLocks locks = build(server, driver, strategy);
                BlockingLocks others = build(server, driver, strategy)) {
            BlockingLock lock = locks.tryAcquire(name, TTL).orElseThrow();

            assertThat(others.tryAcquire(name, TTL)).isEmpty();
            assertThat(lock.renew()).isTrue();
            assertThat(locks.inspect(name)).isPresent();
            assertThat(lock.release()).isTrue();
        }
    }

    private static BlockingLocks build(EmbeddedMongo server, Driver driver, LockStrategy strategy)
            throws InterruptedException {
        return build(server, driver, strategy, SchemaMode.CREATE);
    }

    private static BlockingLocks build(EmbeddedMongo server, Driver driver, LockStrategy strategy, SchemaMode mode)
            throws InterruptedException {
        return driver.build(
                DriverClients.shared(server.connectionString()),
                DATABASE,
                builder -> builder.strategy(strategy)
                        .collection("locks." + strategy.name())
                        .schema(mode));
    }

    private static List<String> collections(EmbeddedMongo server) {
        return DriverClients.shared(server.connectionString())
                .sync()
                .getDatabase(DATABASE)
                .listCollectionNames()
                .into(new ArrayList<>());
    }
}
