package org.mongolocks.contract.waiting;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.ClientStatus;
import org.mongolocks.ClientStatus.ChangeStream.State;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.setup.BackgroundTask;
import org.mongolocks.contract.setup.BackgroundTask.Eventually;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.DroppedDatabase;
import org.mongolocks.contract.setup.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Tests of the state that a client shows to health checks. */
@ExtendWith(DroppedDatabase.class)
class ClientStatusTest {
    private static final Duration TTL = Duration.ofMinutes(10);

    private final LockName name = LockName.of("status-" + UUID.randomUUID());

    private static BlockingLocks build(Driver driver) throws Exception {
        return driver.build(
                DriverClients.shared(ServerFinder.found().uri()),
                LockContract.DATABASE,
                builder -> builder.strategy(new FindAndModifyCounterStrategy()));
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void newClientIsOpenAndHasNoStream(Driver driver) throws Exception {
        try (BlockingLocks locks = build(driver)) {
            ClientStatus status = locks.status();

            assertThat(status.isClosed()).isFalse();
            assertThat(status.changeStream().state()).isEqualTo(State.IDLE);
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void streamIsOpenWhileAClientWaits(Driver driver) throws Exception {
        assumeFalse(ServerFinder.found().isStandalone(), "A standalone has no change streams");
        try (BlockingLocks holder = build(driver);
                BlockingLocks locks = build(driver)) {
            BlockingLock held = holder.tryAcquire(name, TTL).orElseThrow();
            BackgroundTask<Optional<BlockingLock>> waiting = BackgroundTask.run(() ->
                    locks.tryAcquire(LockRequest.of(name, TTL).fixedLease().waitAtMost(Duration.ofMinutes(5))));

            Eventually.isTrue("the stream is open", () -> isOpen(locks.status()));

            assertThat(held.release()).isTrue();
            assertThat(waiting.result()).isPresent();
        }
    }

    /** Behind a router events are late from the start. */
    private static boolean isOpen(ClientStatus status) {
        State state = status.changeStream().state();
        return state == State.OPEN || state == State.LATE;
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void closedClientSaysSo(Driver driver) throws Exception {
        BlockingLocks locks = build(driver);
        locks.close();

        assertThat(locks.status().isClosed()).isTrue();
        assertThat(locks.status().changeStream().state()).isEqualTo(State.CLOSED);
    }
}
