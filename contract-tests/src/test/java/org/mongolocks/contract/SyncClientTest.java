package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** Checks what is particular to the synchronous client. */
@ExtendWith(DroppedDatabase.class)
class SyncClientTest {
    private static final Duration TTL = Duration.ofSeconds(30);

    private final Connection connection = Connection.shared(ServerFinder.found().uri());
    private final LockClient locks = build();
    private final LockName name = LockName.of("sync-" + UUID.randomUUID());
    private final LockRequest request = new LockRequest(name, TTL, Duration.ZERO);

    @AfterEach
    void close() {
        Thread.interrupted();
        locks.close();
    }

    @Test
    void theWorkIsDoneUnderTheLockWhichIsGivenBack() throws InterruptedException {
        boolean done = locks.withLock(request, lock -> assertThat(lock.isHeld()).isTrue());

        assertThat(done).isTrue();
        assertThat(locks.tryAcquire(request)).isPresent();
    }

    @Test
    void nothingIsDoneWhileAnotherHoldsTheLock() throws InterruptedException {
        locks.acquire(request);
        AtomicInteger runs = new AtomicInteger();

        assertThat(locks.withLock(request, lock -> runs.incrementAndGet())).isFalse();

        assertThat(runs).hasValue(0);
    }

    @Test
    void workThatFailsGivesTheLockBack() throws InterruptedException {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> locks.withLock(request, lock -> {
                    throw new IOException("the work failed");
                }));

        assertThat(locks.tryAcquire(request)).isPresent();
    }

    @Test
    void workWhoseLockWasLostIsReported() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> locks.withLock(request, lock -> {
                    locks.forceRelease(locks.inspect(name).orElseThrow());
                    assertThat(lock.renew()).isFalse();
                }))
                .withMessageContaining(name.value())
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LossReason.FORCED));
    }

    @Test
    void anInterruptDoesNotKeepALockFromBeingGivenBack() throws InterruptedException {
        HeldLock lock = locks.acquire(request).orElseThrow();

        Thread.currentThread().interrupt();
        lock.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(locks.tryAcquire(request)).isPresent();
    }

    @Test
    void closingALockTwiceOrAfterALossIsHarmless() throws InterruptedException {
        HeldLock lock = locks.acquire(request).orElseThrow();
        locks.forceRelease(locks.inspect(name).orElseThrow());

        lock.close();
        lock.close();

        assertThat(lock.release()).isFalse();
    }

    @Test
    void aClosedClientAcquiresNothing() {
        locks.close();

        assertThatIllegalStateException()
                .isThrownBy(() -> locks.tryAcquire(request))
                .withMessageContaining("closed");
    }

    @Test
    void aLockOutlivesItsClient() throws InterruptedException {
        HeldLock lock = locks.acquire(request).orElseThrow();

        locks.close();

        assertThat(lock.renew()).isTrue();
        assertThat(lock.release()).isTrue();
    }

    private LockClient build() {
        try {
            return LockClient.builder(connection.sync(), LockContract.DATABASE)
                    .strategy(new FindAndModifyCounterStrategy())
                    .build();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
