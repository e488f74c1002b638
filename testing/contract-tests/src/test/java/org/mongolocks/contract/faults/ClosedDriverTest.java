package org.mongolocks.contract.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.Shipped;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.server.Warnings;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** Tests of lock clients that are used after the driver's client was closed. */
@ExtendWith(DroppedDatabase.class)
class ClosedDriverTest {
    private static final Duration TTL = Duration.ofSeconds(60);
    /** It ends during a test; nothing depends on when. */
    private static final Duration SHORT_TTL = Duration.ofSeconds(3);

    private static final int LOCKS = 5;

    private final String instance = "closed-driver-" + UUID.randomUUID();
    private final LockName name = LockName.of(instance);
    private final DriverClients connection =
            DriverClients.of(DriverClients.settings(ServerFinder.found().uri()).build());

    @BeforeEach
    void checkStrategies() {
        Shipped.supported("transactional");
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    @Tag("finds:driver-closed-unnamed")
    void everyCallNamesTheCause(Driver driver) throws Exception {
        BlockingLocks locks = locks(driver, "transactional");
        BlockingLock held = locks.tryAcquire(name, TTL).orElseThrow();
        LockName free = LockName.of(instance + "-free");
        connection.close();

        Stream.<org.assertj.core.api.ThrowableAssert.ThrowingCallable>of(
                        () -> locks.tryAcquire(free, TTL), () -> locks.inspect(name), held::renew, held::release)
                .forEach(call -> assertThatExceptionOfType(ClientClosedException.class)
                        .isThrownBy(call)
                        .withMessageContaining("the MongoClient of this lock client is closed")
                        .withCauseInstanceOf(IllegalStateException.class)
                        .satisfies(closed -> assertThat(closed.isTransient()).isFalse()));
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    @Tag("finds:driver-closed-renewals")
    void renewalsStopAndTheCauseIsLoggedOnce(Driver driver) throws Exception {
        try (Warnings warnings = Warnings.collect()) {
            BlockingLocks locks = locks(driver, "findandmodify-counter");
            List<BlockingLock> held = new ArrayList<>();
            for (int i = 0; i < LOCKS; i++) {
                held.add(locks.tryAcquire(LockRequest.of(instance + i, SHORT_TTL))
                        .orElseThrow());
            }

            connection.close();
            Eventually.isTrue("all are lost", () -> held.stream().noneMatch(BlockingLock::isHeld));
            locks.close();

            List<String> about = warnings.about(instance);
            assertThat(about.stream().filter(text -> !text.contains("was lost (RENEWAL_FAILED)")))
                    .singleElement()
                    .satisfies(text -> assertThat(text).contains("the MongoClient of this lock client is closed"));
            assertThat(about).hasSize(LOCKS + 1);
        }
    }

    @Test
    void closingManyLocksAfterTheDriverIsLoggedOnce() throws Exception {
        try (Warnings warnings = Warnings.collect()) {
            LockClient locks = LockClient.builder(connection.sync(), LockContract.DATABASE)
                    .drainTimeout(Duration.ZERO)
                    .strategy("transactional")
                    .build();
            List<HeldLock> held = new ArrayList<>();
            for (int i = 0; i < LOCKS; i++) {
                held.add(locks.acquire(LockRequest.of(instance + i, TTL).fixedLease()));
            }

            connection.close();
            held.get(0).close();
            locks.close();

            assertThat(warnings.about(instance)).hasSize(1);
            assertThat(held).allSatisfy(lock -> assertThat(lock.isHeld()).isFalse());
            assertThat(held.get(1).loss()).contains(LossReason.CLIENT_CLOSED);
        }
    }

    private BlockingLocks locks(Driver driver, String strategy) throws InterruptedException {
        return driver.build(
                connection,
                LockContract.DATABASE,
                builder -> builder.strategy(LockStrategies.named(strategy)).instance(instance));
    }
}
