package org.mongolocks.contract.faults;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.setup.BackgroundTask.Eventually;
import org.mongolocks.contract.setup.ContractServer;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.DroppedDatabase;
import org.mongolocks.contract.setup.ProxyRoute;
import org.mongolocks.contract.setup.ServerFinder;
import org.mongolocks.proxy.FaultRule;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Tests of a grant that could not be compensated in time. */
@ExtendWith(DroppedDatabase.class)
class PendingReleaseTest {
    /** Longer than the waits of a test. */
    private static final Duration TTL = Duration.ofHours(2);

    private static final int PRIMARY_STEPPED_DOWN = 189;

    private final ContractServer server = ServerFinder.found();
    private final LockName name = LockName.of("pending-" + UUID.randomUUID());

    @ParameterizedTest
    @EnumSource(Driver.class)
    void closingWaitsForPendingCompensation(Driver driver) throws InterruptedException {
        assumeFalse(DriverClients.isEncrypted(server.uri()), "The proxy that injects faults cannot see into TLS");
        assumeFalse(server.isStandalone(), "A standalone refuses nothing that comes late");
        try (FaultyLocks faulty = faulty(driver)) {
            FaultRule trap = faulty.trapNext(List.of("findAndModify"), WireFault.holdRequest());

            assertThatExceptionOfType(IndeterminateOutcomeException.class)
                    .isThrownBy(() -> faulty.locks().tryAcquire(name, TTL));
            trap.release();
            faulty.locks().close();

            assertThat(locks(driver, DriverClients.shared(server.uri())).tryAcquire(name, TTL))
                    .isPresent();
        }
    }

    /** As during an election, which lasts longer than a command may: nobody has a handle after that. */
    @ParameterizedTest
    @EnumSource(Driver.class)
    void releaseThatGotNoReplyIsRepeatedUntilTheServerAnswers(Driver driver) throws Exception {
        assumeFalse(DriverClients.isEncrypted(server.uri()), "The proxy that injects faults cannot see into TLS");
        BlockingLocks others = locks(driver, DriverClients.shared(server.uri()));
        try (FaultyLocks faulty = faulty(driver)) {
            BlockingLock held = faulty.locks().tryAcquire(name, TTL).orElseThrow();
            faulty.refuse(FaultyLocks.ALWAYS, PRIMARY_STEPPED_DOWN, List.of("update"));

            assertThatExceptionOfType(LockException.class).isThrownBy(held::release);
            assertThat(others.tryAcquire(name, TTL)).isEmpty();
            faulty.heal();

            Eventually.isTrueWhile(
                    "the lock is released",
                    () -> others.tryAcquire(name, TTL).isPresent(),
                    () -> server.elapse(Duration.ofMillis(10)));
            assertThat(held.release()).isTrue();
            assertThat(held.release()).isFalse();
        }
    }

    private FaultyLocks faulty(Driver driver) throws InterruptedException {
        FaultyLocks faulty = FaultyLocks.on(ProxyRoute.to(server.uri(), true), driver, this::setUp);
        faulty.locks().tryAcquire(LockName.of("first-" + name.value()), TTL);
        return faulty;
    }

    private BlockingLocks locks(Driver driver, DriverClients connection) throws InterruptedException {
        return driver.build(connection, LockContract.DATABASE, this::setUp);
    }

    private void setUp(LockClientBuilder<?> builder) {
        builder.strategy(new FindAndModifyCounterStrategy()).commandTimeout(server.timeout());
        server.setClocks(builder);
    }
}
