package org.mongolocks.contract.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.ClientSettings.ClockJump;
import org.mongolocks.LockName;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.setup.BackgroundTask.Eventually;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.DroppedDatabase;
import org.mongolocks.contract.setup.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Tests that a client notices when the server's clock and its own diverge. */
@ExtendWith(DroppedDatabase.class)
class ClockJumpTest {
    private static final Duration JUMP = Duration.ofMinutes(5);

    private final LockName name = LockName.of("clock-" + UUID.randomUUID());
    private final List<ClockJump> jumps = new CopyOnWriteArrayList<>();
    private volatile Duration ahead = Duration.ZERO;

    @ParameterizedTest
    @EnumSource(Driver.class)
    void clockJumpIsReportedOnceByOrdinaryReplies(Driver driver) throws Exception {
        DriverClients connection = DriverClients.shared(ServerFinder.found().uri());
        try (BlockingLocks locks = driver.build(
                connection,
                LockContract.DATABASE,
                builder -> builder.strategy(new FindAndModifyCounterStrategy())
                        .wallClock(() -> Instant.now().minus(ahead))
                        .skewMargin(Duration.ofSeconds(1))
                        .onClockJump(jumps::add))) {
            BlockingLock lock = locks.tryAcquire(name, Duration.ofMinutes(10)).orElseThrow();
            ahead = JUMP;
            locks.inspect(name);
            locks.inspect(name);
            assertThat(lock.release()).isTrue();

            Eventually.isTrue("the listener is called", () -> !jumps.isEmpty());
            ClockJump jump = jumps.get(0);
            assertThat(jump.after().minus(jump.before())).isBetween(JUMP.minusMinutes(1), JUMP.plusMinutes(1));
        }
        assertThat(jumps).hasSize(1);
    }
}
