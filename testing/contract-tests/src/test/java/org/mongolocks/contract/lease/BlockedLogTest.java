package org.mongolocks.contract.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockName;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.Driver;
import org.mongolocks.contract.setup.BackgroundTask;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.DroppedDatabase;
import org.mongolocks.contract.setup.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Tests that a log handler that blocks does not delay what the client does, on threads of the driver too. */
@ExtendWith(DroppedDatabase.class)
class BlockedLogTest {
    private static final Duration TTL = Duration.ofMinutes(10);

    private final LockName name = LockName.of("blocked-log-" + UUID.randomUUID());
    private final CountDownLatch blocked = new CountDownLatch(1);
    private final CountDownLatch end = new CountDownLatch(1);
    private final Logger logger = Logger.getLogger("org.mongolocks");

    @AfterEach
    void unblock() {
        logger.setFilter(null);
        end.countDown();
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void forcedReleaseEndsWhileItsMessageIsBlocked(Driver driver) throws Exception {
        try (BlockingLocks locks = build(driver)) {
            assertThat(locks.tryAcquire(name, TTL)).isPresent();
            logger.setFilter(entry -> waitIfAbout("by force", entry));

            boolean isForced = BackgroundTask.run(
                            () -> locks.forceRelease(locks.inspect(name).orElseThrow()))
                    .result();

            assertThat(isForced).isTrue();
            assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(locks.tryAcquire(name, TTL)).isPresent();
        }
    }

    @ParameterizedTest
    @EnumSource(Driver.class)
    void lossIsReportedWhileItsMessageIsBlocked(Driver driver) throws Exception {
        try (BlockingLocks locks = build(driver)) {
            BlockingLock lost = locks.tryAcquire(name, TTL).orElseThrow();
            CountDownLatch reported = new CountDownLatch(1);
            lost.onLost((lease, reason) -> reported.countDown());
            locks.forceRelease(locks.inspect(name).orElseThrow());
            logger.setFilter(entry -> waitIfAbout("was lost", entry));

            boolean isRenewed = BackgroundTask.run(lost::renew).result();

            assertThat(isRenewed).isFalse();
            assertThat(reported.await(30, TimeUnit.SECONDS)).isTrue();
            assertThat(blocked.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    private static BlockingLocks build(Driver driver) throws InterruptedException {
        return driver.build(
                DriverClients.shared(ServerFinder.found().uri()),
                LockContract.DATABASE,
                builder -> builder.strategy(new FindAndModifyCounterStrategy()));
    }

    private boolean waitIfAbout(String what, LogRecord entry) {
        if (entry.getMessage().contains(what) && entry.getMessage().contains(name.value())) {
            blocked.countDown();
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        return true;
    }
}
