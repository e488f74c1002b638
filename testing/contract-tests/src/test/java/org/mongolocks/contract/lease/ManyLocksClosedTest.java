package org.mongolocks.contract.lease;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockName;
import org.mongolocks.LockQuery;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.setup.BackgroundTask;
import org.mongolocks.contract.setup.ContractServer;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.DroppedDatabase;
import org.mongolocks.contract.setup.ProxyRoute;
import org.mongolocks.contract.setup.ServerFinder;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.FaultRule;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.spi.LockStrategies;

/** Tests of clients that hold many locks when they are closed. */
@ExtendWith(DroppedDatabase.class)
class ManyLocksClosedTest {
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final int LOCKS = 250;
    private static final int BATCHES = 3;
    private static final int MAX_CONNECTIONS = 40;

    private final ContractServer server = ServerFinder.found();
    private final String prefix = "closed-" + UUID.randomUUID();

    @ParameterizedTest
    @EnumSource(Driver.class)
    void locksAreReleasedInBatches(Driver driver) throws Exception {
        assumeFalse(DriverClients.isEncrypted(server.uri()), "The proxy that injects faults cannot see into TLS");
        String strategy = "findandmodify-counter";
        try (FaultyLocks closed = faulty(driver, strategy, LOCKS);
                BlockingLocks others = locks(driver, strategy)) {
            FaultRule releases =
                    closed.proxy().arm(CommandMatcher.atAll(List.of("update", "findAndModify")), WireFault.none());

            closed.locks().close();

            assertThat(releases.requests()).hasSize(BATCHES);
            assertThat(others.list(LockQuery.all().prefix(prefix).heldOnly()).locks())
                    .isEmpty();
        }
    }

    /** This strategy releases locks one by one: each release waits for a majority. */
    @Test
    void withoutBatchesManyAreReleasedAtATime() throws Exception {
        assumeFalse(DriverClients.isEncrypted(server.uri()), "The proxy that injects faults cannot see into TLS");
        assumeFalse(server.isStandalone(), "A standalone has no transactions");
        int locks = 20;
        try (FaultyLocks closed = faulty(Driver.SYNC, "transactional", locks)) {
            FaultRule releases =
                    closed.proxy().arm(CommandMatcher.atAll(List.of("delete")), WireFault.holdReply(WireFault.none()));

            BackgroundTask<Boolean> closing = BackgroundTask.run(() -> {
                closed.locks().close();
                return true;
            });

            releases.awaitCaught(locks);
            releases.release();
            assertThat(closing.result()).isTrue();
        }
    }

    private FaultyLocks faulty(Driver driver, String strategy, int held) throws InterruptedException {
        FaultyLocks faulty = FaultyLocks.on(
                ProxyRoute.to(
                        server.uri(),
                        settings -> settings.applyToConnectionPoolSettings(pool -> pool.maxSize(MAX_CONNECTIONS))),
                driver,
                builder -> builder.strategy(LockStrategies.named(strategy)).commandTimeout(Duration.ofSeconds(30)));
        IntStream.range(0, held).forEach(i -> {
            try {
                assertThat(faulty.locks().tryAcquire(LockName.of(prefix + i), TTL))
                        .isPresent();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        return faulty;
    }

    private BlockingLocks locks(Driver driver, String strategy) throws InterruptedException {
        return driver.build(
                DriverClients.shared(server.uri()),
                LockContract.DATABASE,
                builder -> builder.strategy(LockStrategies.named(strategy)));
    }
}
