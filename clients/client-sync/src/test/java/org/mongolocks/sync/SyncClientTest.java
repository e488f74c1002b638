package org.mongolocks.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.protocol.ForwardingStrategy;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.spi.AcquireContext;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Step;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Tests of the synchronous client alone. */
@ExtendWith(DroppedDatabase.class)
class SyncClientTest {
    private static final Duration TTL = Duration.ofSeconds(30);
    /** Longer than a test may take. */
    private static final Duration LONG = Duration.ofMinutes(5);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final LockClient locks = build();
    private final LockName name = LockName.of("sync-" + UUID.randomUUID());
    private final LockRequest request = LockRequest.of(name, TTL).fixedLease();

    @AfterEach
    void close() {
        Thread.interrupted();
        locks.close();
    }

    @Test
    void failedWorkReleasesTheLock() throws InterruptedException {
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> locks.tryWithLock(request, lock -> {
                    throw new IOException("the work failed");
                }));

        assertThat(locks.tryAcquire(request)).isPresent();
    }

    @Test
    void aLossInterruptsTheWork() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> locks.tryWithLock(request, lock -> {
                    loseInBackground(lock);
                    new CountDownLatch(1).await();
                }))
                .withCauseInstanceOf(InterruptedException.class)
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LossReason.FORCED));
        assertThat(Thread.interrupted()).as("the interrupt stays").isTrue();
    }

    @Test
    void errorOfInterruptedWorkCarriesTheLossAndLeavesTheInterrupt() {
        AssertionError error = new AssertionError("for a test");

        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> locks.tryWithLock(request, lock -> {
                    loseInBackground(lock);
                    while (!Thread.currentThread().isInterrupted()) {
                        Thread.onSpinWait();
                    }
                    throw error;
                }))
                .isSameAs(error);

        assertThat(Thread.interrupted()).as("the interrupt stays").isTrue();
        assertThat(error.getSuppressed())
                .singleElement()
                .isInstanceOfSatisfying(
                        LockLostException.class,
                        lost -> assertThat(lost.reason()).isEqualTo(LossReason.FORCED));
    }

    @Test
    void interruptFromElsewhereOutlivesAnErrorOfTheWork() {
        assertThatExceptionOfType(AssertionError.class)
                .isThrownBy(() -> locks.tryWithLock(request, lock -> {
                    Thread.currentThread().interrupt();
                    throw new AssertionError("for a test");
                }))
                .withNoCause();

        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void grantThatAnErrorFollowsIsReleased() throws InterruptedException {
        LockStrategy failing = new ForwardingStrategy(new FindAndModifyCounterStrategy()) {
            @Override
            public Step<LockOutcome> acquire(AcquireContext context) {
                return super.acquire(context).andThen(outcome -> {
                    throw new AssertionError("for a test");
                });
            }
        };

        try (LockClient client = builder().strategy(failing).build()) {
            assertThatExceptionOfType(AssertionError.class)
                    .isThrownBy(() -> client.tryAcquire(request))
                    .withMessage("for a test");
        }

        assertThat(locks.tryAcquire(request)).isPresent();
    }

    @Test
    void workThatDoesNotNoticeItsInterruptLeavesIt() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> locks.tryWithLock(request, lock -> {
                    loseInBackground(lock);
                    while (lock.isHeld()) {
                        Thread.onSpinWait();
                    }
                }))
                .withNoCause();
        assertThat(Thread.interrupted()).as("the interrupt stays").isTrue();
    }

    @Test
    void workThatEndsTheInterruptIsNotInterrupted() {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> locks.tryWithLock(request, lock -> {
                    assertThat(lock.endInterruptOnLoss()).isFalse();
                    loseInBackground(lock).result();
                    assertThat(Thread.interrupted()).isFalse();
                }));
    }

    @Test
    void anInterruptFromElsewhereIsNoLoss() {
        assertThatExceptionOfType(InterruptedException.class)
                .isThrownBy(() -> locks.tryWithLock(request, lock -> {
                    Thread.currentThread().interrupt();
                    new CountDownLatch(1).await();
                }));
    }

    @Test
    void aListenerMayCloseTheClient() throws InterruptedException {
        LockClient closing = builder().closeTimeout(LONG).build();
        HeldLock lock = closing.tryAcquire(request).orElseThrow();
        CountDownLatch closed = new CountDownLatch(1);
        lock.onLost((lease, reason) -> {
            closing.close();
            closed.countDown();
        });
        locks.forceRelease(locks.inspect(name).orElseThrow());

        lock.renew();

        closed.await();
    }

    @Test
    void anInterruptDoesNotKeepALockFromBeingReleased() throws InterruptedException {
        HeldLock lock = locks.tryAcquire(request).orElseThrow();

        Thread.currentThread().interrupt();
        lock.close();

        assertThat(Thread.interrupted()).isTrue();
        assertThat(locks.tryAcquire(request)).isPresent();
    }

    @Test
    void closingALockTwiceOrAfterALossIsHarmless() throws InterruptedException {
        HeldLock lock = locks.tryAcquire(request).orElseThrow();
        locks.forceRelease(locks.inspect(name).orElseThrow());

        lock.close();
        lock.close();

        assertThat(lock.release()).isFalse();
    }

    @Test
    void aLockEndsWithItsClient() throws InterruptedException {
        HeldLock lock = locks.tryAcquire(request).orElseThrow();

        locks.close();

        assertThat(lock.isHeld()).isFalse();
        assertThat(lock.loss()).contains(LossReason.CLIENT_CLOSED);
        assertThat(lock.renew()).isFalse();
        assertThat(lock.release()).isFalse();
        assertThat(locks.inspect(name).orElseThrow().isHeld()).isFalse();
    }

    @Test
    void aHandleBelongsToNoThread() throws Exception {
        HeldLock lock = locks.tryAcquire(request).orElseThrow();

        assertThat(BackgroundTask.run(() -> lock.renew()).result()).isTrue();
        assertThat(BackgroundTask.run(() -> lock.release()).result()).isTrue();

        assertThat(locks.tryAcquire(request)).isPresent();
    }

    /** Forces the lock free and renews it, on another thread. */
    private BackgroundTask<Boolean> loseInBackground(HeldLock lock) {
        return BackgroundTask.run(() -> {
            locks.forceRelease(locks.inspect(name).orElseThrow());
            return lock.renew();
        });
    }

    private LockClientBuilder<LockClient> builder() {
        return PlainClient.builder(connection);
    }

    private LockClient build() {
        return builder().build();
    }
}
