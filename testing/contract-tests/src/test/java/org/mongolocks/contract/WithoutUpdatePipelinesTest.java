package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.mongodb.MongoCommandException;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockName;
import org.mongolocks.UnsupportedServerException;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.embedded.EmbeddedMongo;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * Tests which strategies run on a server without update pipelines: those without the server's clock. The others are
 * refused when a client is built, if the server claims a wire version older than that of MongoDB 4.4.
 */
class WithoutUpdatePipelinesTest {
    private static final Duration TTL = Duration.ofMinutes(1);
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
                        .isInstanceOf(UnsupportedServerException.class)
                        .hasMessageContainingAll(
                                "'" + name + "'", "4.4", "wire version 8", Trait.CLOCK_FREE.toString());
            } else {
                assertAcquiresRenewsAndReleases(OLD, driver, strategy);
            }
        }
    }

    /** Nothing shows before the first command that such a server has no pipelines; the doctor tries one. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("org.mongolocks.contract.Shipped#names")
    void onAServerThatClaimsMoreAStrategyRunsOrFailsWithTheServersError(String name) throws Exception {
        LockStrategy strategy = LockStrategies.named(name);
        for (Driver driver : Driver.values()) {
            if (strategy.traits().contains(Trait.SERVER_CLOCK)) {
                assertThatThrownBy(() -> assertAcquiresRenewsAndReleases(LOOK_ALIKE, driver, strategy))
                        .hasRootCauseInstanceOf(MongoCommandException.class)
                        .rootCause()
                        .hasMessageContaining("Argument to update must be object");
            } else {
                assertAcquiresRenewsAndReleases(LOOK_ALIKE, driver, strategy);
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
        return driver.build(
                DriverClients.shared(server.connectionString()),
                "without-pipelines",
                builder -> builder.strategy(strategy).collection("locks." + strategy.name()));
    }
}
