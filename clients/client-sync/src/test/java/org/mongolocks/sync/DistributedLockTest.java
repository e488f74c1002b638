package org.mongolocks.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;

/** Tests of the {@code java.util.concurrent} lock beyond that interface. */
@ExtendWith(DroppedDatabase.class)
class DistributedLockTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final LockClient locks = PlainClient.on(connection);
    private final LockName name = LockName.of("lock-" + UUID.randomUUID());
    private final LockRequest request = LockRequest.of(name, TTL).fixedLease();
    private final DistributedLock lock = locks.asLock(request);

    @AfterEach
    void close() {
        Thread.interrupted();
        locks.close();
    }

    @Test
    void theTokenStaysWhileTheThreadLocksAgainAndGrowsWithTheNextGrant() {
        lock.lock();
        long token = lock.fencingToken();
        lock.lock();
        assertThat(lock.fencingToken()).isEqualTo(token);
        assertThat(lock.getHoldCount()).isEqualTo(2);
        lock.unlock();
        lock.unlock();
        assertThat(lock.isHeldByCurrentThread()).isFalse();

        lock.lock();
        assertThat(lock.fencingToken()).isGreaterThan(token);
    }

    @Test
    void theHandleOfTheThreadRenewsTheLockUntilItIsUnlocked() throws Exception {
        assertThat(lock.heldLock()).isEmpty();
        lock.lock();
        HeldLock held = lock.heldLock().orElseThrow();

        assertThat(held.renew(TTL.multipliedBy(2))).isTrue();
        assertThat(held.remaining()).isGreaterThan(TTL);
        assertThat(BackgroundTask.run(lock::heldLock).result()).isEmpty();

        lock.unlock();
        assertThat(lock.heldLock()).isEmpty();
        assertThat(held.isHeld()).isFalse();
    }

    @Test
    void anotherThreadHasNoTokenAndNoCount() throws Exception {
        lock.lock();

        assertThat(BackgroundTask.run(lock::getHoldCount).result()).isZero();
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> BackgroundTask.run(lock::fencingToken).result())
                .withMessageContaining(name.value())
                .withMessageContaining("contract-background");
    }

    @Test
    void itHasNoConditions() {
        assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(lock::newCondition);
    }

    @Test
    void eachUnlockOfALostLockReportsTheLoss() throws InterruptedException {
        lock.lock();
        lock.lock();
        lose();

        assertThat(lock.isHeldByCurrentThread()).as("nobody has asked yet").isTrue();
        assertThat(lock.fencingToken()).isPositive();
        assertThatExceptionOfType(LockLostException.class)
                .as("the last one asks the server")
                .isThrownBy(() -> {
                    lock.unlock();
                    lock.unlock();
                });
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
    }

    @Test
    void lockingAfterALossIsANewGrantAndNeedsTwoUnlocks() throws Exception {
        lock.lock();
        long lost = lock.fencingToken();
        locks.close();
        try (LockClient next = PlainClient.on(connection)) {
            assertThat(lock.isHeldByCurrentThread()).isFalse();
            DistributedLock again = next.asLock(request);
            again.lock();
            assertThat(again.fencingToken()).isGreaterThan(lost);
            again.unlock();
        }
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lock::unlock)
                .satisfies(loss -> assertThat(loss.reason()).isEqualTo(LossReason.CLIENT_CLOSED));
    }

    @Test
    void aNegativeTimeAsksOnceAndTheLongestIsCutIntoPieces() throws Exception {
        assertThat(lock.tryLock(-1, TimeUnit.DAYS)).isTrue();
        lock.unlock();
        assertThat(lock.tryLock(Long.MAX_VALUE, TimeUnit.DAYS)).isTrue();
        BackgroundTask<Boolean> waiter = BackgroundTask.run(() -> lock.tryLock(Long.MAX_VALUE, TimeUnit.NANOSECONDS));

        lock.unlock();

        assertThat(waiter.result()).isTrue();
    }

    @Test
    void interruptedThreadLocksOnlyUninterruptibly() throws InterruptedException {
        Thread.currentThread().interrupt();
        assertThat(lock.tryLock()).isTrue();
        assertThat(Thread.currentThread().isInterrupted()).isTrue();
        lock.lock();
        assertThat(lock.getHoldCount()).isEqualTo(2);

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(lock::lockInterruptibly);

        assertThat(lock.getHoldCount()).isEqualTo(2);
        assertThat(Thread.interrupted()).isFalse();
    }

    @Test
    void aThreadThatWaitsEndsWhenTheClientIsClosed() throws Exception {
        lock.lock();
        BackgroundTask<Boolean> waiter = BackgroundTask.run(() -> {
            locks.asLock(request).lock();
            return true;
        });

        locks.close();

        assertThatExceptionOfType(ClientClosedException.class)
                .isThrownBy(waiter::result)
                .withMessageContaining("closed");
    }

    @Test
    void aClientThatHoldsItOtherwiseKeepsThreadsOut() throws InterruptedException {
        assertThat(locks.reentrant(Thread.currentThread()).tryAcquire(request)).isPresent();

        assertThat(lock.tryLock()).isFalse();
    }

    private void lose() throws InterruptedException {
        locks.forceRelease(locks.inspect(name).orElseThrow());
    }
}
