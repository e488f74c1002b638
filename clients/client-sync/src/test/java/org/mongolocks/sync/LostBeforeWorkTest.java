package org.mongolocks.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.time.Timer;

/** Tests of locks that are lost after the grant and before the work begins. */
@ExtendWith(DroppedDatabase.class)
class LostBeforeWorkTest {
    private static final Duration TTL = Duration.ofSeconds(60);
    private static final Duration SOON = Duration.ofSeconds(30);
    /** Short: a client that closes on the thread that acquires waits for an acquisition that cannot end before. */
    private static final Duration UNTIL_CLOSED = Duration.ofMillis(200);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final String name = "lost-" + UUID.randomUUID();
    private final LockRequest request = LockRequest.of(name, TTL).fixedLease();
    private final AtomicLong passedNanos = new AtomicLong();
    private final GrantTimer timer = new GrantTimer();
    private final AtomicBoolean worked = new AtomicBoolean();
    /** Runs when a thread that has acquired a lock for work looks whether it is held. */
    private volatile Runnable beforeWork = () -> {};

    @AfterEach
    void clearInterrupt() {
        Thread.interrupted();
    }

    /** A timer without tasks. A client schedules one between a grant and the work, on the thread that acquires. */
    private static final class GrantTimer implements Timer {
        private volatile Runnable afterGrant = () -> {};
        private volatile Runnable whenCancelled = () -> {};

        @Override
        public Timeout schedule(Duration delay, Runnable task) {
            afterGrant.run();
            return () -> whenCancelled.run();
        }
    }

    /** A call that runs work under a lock. */
    @FunctionalInterface
    private interface SyncWork {
        void run(LockClient locks, LockRequest request, AtomicBoolean worked) throws Exception;
    }

    static Stream<SyncWork> syncWork() {
        return Stream.of(
                (locks, request, worked) -> locks.withLock(request, lock -> worked.set(true)),
                (locks, request, worked) -> locks.tryCallWithLock(request, lock -> worked.getAndSet(true)),
                (locks, request, worked) -> locks.callWithLock(request, lock -> worked.getAndSet(true)),
                (locks, request, worked) -> locks.reentrant("owner").withLock(request, lock -> worked.set(true)),
                (locks, request, worked) ->
                        locks.reentrant("owner").callWithLock(request, lock -> worked.getAndSet(true)),
                (locks, request, worked) ->
                        locks.reentrant("owner").tryCallWithLock(request, lock -> worked.getAndSet(true)));
    }

    @ParameterizedTest
    @MethodSource("syncWork")
    @Tag("finds:lost-before-work")
    void aLeaseThatEndsBeforeTheWorkRefusesIt(SyncWork work) throws InterruptedException {
        try (LockClient locks = sync()) {
            timer.afterGrant = this::letTheLeaseEnd;

            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> work.run(locks, request, worked))
                    .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LossReason.EXPIRED));

            assertThat(worked).isFalse();
        }
    }

    @ParameterizedTest
    @MethodSource("syncWork")
    @Tag("finds:lost-before-work")
    void aClientThatClosesBeforeTheWorkRefusesIt(SyncWork work) throws InterruptedException {
        LockClient locks = sync();
        timer.afterGrant = once(() -> locks.close(Duration.ZERO));

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> work.run(locks, request, worked))
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LossReason.CLIENT_CLOSED));

        assertThat(worked).isFalse();
        assertThat(Thread.interrupted()).as("an interrupt is left").isFalse();
    }

    /** The close has found the work that runs, and not yet reported the losses, when more work begins. */
    @Test
    void workThatBeginsWhileItsClientClosesIsInterrupted() throws Exception {
        CountDownLatch granted = new CountDownLatch(1);
        CountDownLatch closing = new CountDownLatch(1);
        CountDownLatch working = new CountDownLatch(1);
        LockClient locks = sync();
        HeldLock keptAlive = locks.acquire(LockRequest.of(name + "-kept-alive", TTL));
        beforeWork = once(() -> {
            timer.whenCancelled = once(() -> {
                closing.countDown();
                await(working);
            });
            granted.countDown();
            await(closing);
        });

        BackgroundTask<Boolean> work = BackgroundTask.run(() -> locks.tryWithLock(request, lock -> {
            working.countDown();
            new CountDownLatch(1).await();
        }));
        assertThat(granted.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        locks.close(Duration.ZERO);

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(work::result)
                .withCauseInstanceOf(InterruptedException.class);
        assertThat(keptAlive.isHeld()).isFalse();
    }

    private void letTheLeaseEnd() {
        passedNanos.set(TTL.multipliedBy(2).toNanos());
    }

    private static Runnable once(Runnable task) {
        AtomicBoolean begun = new AtomicBoolean();
        return () -> {
            if (!begun.getAndSet(true)) {
                task.run();
            }
        };
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private long nanoTime() {
        boolean isBeforeWork = StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getClassName().equals(WithLock.class.getName())));
        if (isBeforeWork) {
            beforeWork.run();
        }
        return System.nanoTime() + passedNanos.get();
    }

    private LockClient sync() throws InterruptedException {
        return ClientOptions.of(LockClient.builder(connection.sync(), ContractServer.DATABASE))
                .drainTimeout(Duration.ZERO)
                .strategy(new FindAndModifyCounterStrategy())
                .timer(timer)
                .time(this::nanoTime)
                .closeTimeout(UNTIL_CLOSED)
                .build();
    }
}
