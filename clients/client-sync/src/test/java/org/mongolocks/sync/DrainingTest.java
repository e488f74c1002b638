package org.mongolocks.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.EnumSet;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.Lock;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;

/** Tests of {@code close(Duration)}: the work under held locks ends first. */
@ExtendWith(DroppedDatabase.class)
class DrainingTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final LockRequest request =
            LockRequest.of("drain-" + UUID.randomUUID(), Duration.ofSeconds(30)).fixedLease();
    private final CountDownLatch working = new CountDownLatch(1);
    private final CountDownLatch mayEnd = new CountDownLatch(1);
    private LockClient locks;
    private LockClient others;

    @BeforeEach
    void build() {
        locks = PlainClient.on(connection);
        others = PlainClient.on(connection);
    }

    @AfterEach
    void close() {
        locks.close();
        others.close();
    }

    static Stream<Consumer<LockClient>> waysToClose() {
        return Stream.of(client -> client.close(LONG), LockClient::close);
    }

    @ParameterizedTest
    @MethodSource("waysToClose")
    void workEndsBeforeTheClientCloses(Consumer<LockClient> close) throws Exception {
        locks = PlainClient.builder(connection).drainTimeout(LONG).build();
        BackgroundTask<Boolean> work = BackgroundTask.run(() -> locks.tryWithLock(request, lock -> {
            working.countDown();
            mayEnd.await();
            assertThat(lock.isHeld()).isTrue();
            assertThat(lock.renew()).isTrue();
        }));
        work.runUntil(working);

        BackgroundTask<Boolean> closing = BackgroundTask.run(() -> {
            close.accept(locks);
            return true;
        });
        Eventually.isTrue("new acquisitions are refused", this::isRefused);

        assertThat(closing.isDone()).isFalse();
        assertThat(others.tryAcquire(request)).isEmpty();
        mayEnd.countDown();
        assertThat(work.result()).isTrue();
        assertThat(closing.result()).isTrue();
        assertThat(others.tryAcquire(request)).isPresent();
    }

    @Test
    void workThatLastsTooLongIsInterruptedBeforeItsLockIsReleased() throws Exception {
        AtomicBoolean wasFree = new AtomicBoolean();
        BackgroundTask<Boolean> work = BackgroundTask.run(() -> locks.tryWithLock(request, lock -> {
            working.countDown();
            try {
                mayEnd.await();
            } finally {
                wasFree.set(others.tryAcquire(request).isPresent());
            }
        }));
        work.runUntil(working);

        locks.close(Duration.ofMillis(1));

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(work::result)
                .withCauseInstanceOf(InterruptedException.class)
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LossReason.CLIENT_CLOSED));
        assertThat(wasFree).as("the lock was free while the work ran").isFalse();
        assertThat(others.tryAcquire(request)).isPresent();
    }

    @Test
    void workThatClosesItsClientDoesNotWaitForItself() throws Exception {
        LockClient closing = PlainClient.builder(connection).drainTimeout(LONG).build();

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> closing.withLock(request, lock -> {
                    closing.close();
                    assertThat(others.tryAcquire(request)).isPresent();
                }))
                .satisfies(lost -> assertThat(lost.reason()).isEqualTo(LossReason.CLIENT_CLOSED));
        assertThat(Thread.interrupted()).as("an interrupt is left").isFalse();
    }

    @Test
    void aWaiterIsRefusedAtOnce() throws Exception {
        try (HeldLock held = others.acquire(request)) {
            BackgroundTask<HeldLock> waiter = BackgroundTask.run(() -> {
                working.countDown();
                return locks.acquire(request.waitAtMost(LONG));
            });
            waiter.runUntil(working);

            locks.close(LONG);

            assertThatExceptionOfType(ClientClosedException.class).isThrownBy(waiter::result);
            assertThat(held.isHeld()).isTrue();
        }
    }

    @Test
    void anInterruptedCallerClosesAndStaysInterrupted() throws Exception {
        HeldLock lock = locks.acquire(request);

        Thread.currentThread().interrupt();
        locks.close(LONG);

        assertThat(Thread.interrupted()).isTrue();
        assertThat(lock.isHeld()).isFalse();
    }

    @Test
    @Tag("finds:overlapping-closes")
    void anotherCallWaitsForTheReleasesOfTheFirst() throws Exception {
        BackgroundTask<Boolean> first = closeDuringWorkThatIgnoresItsInterrupt();
        Thread second = new Thread(locks::close, "second-close");
        second.start();
        Eventually.isTrue("the second call waits or ends", () -> isWaitingOrEnded(second));

        mayEnd.countDown();

        second.join();
        assertThat(others.tryAcquire(request)).isPresent();
        assertThat(first.result()).isTrue();
    }

    @Test
    void anotherCallThatIsInterruptedLeavesTheReleasesToTheFirst() throws Exception {
        BackgroundTask<Boolean> first = closeDuringWorkThatIgnoresItsInterrupt();

        Thread.currentThread().interrupt();
        locks.close();

        assertThat(Thread.interrupted()).isTrue();
        mayEnd.countDown();
        assertThat(first.result()).isTrue();
        assertThat(others.tryAcquire(request)).isPresent();
    }

    @Test
    void anInterruptEndsTheWaitForWorkThatIgnoresItsInterrupt() throws Exception {
        locks = PlainClient.builder(connection)
                .closeTimeout(LONG.multipliedBy(4))
                .build();
        BackgroundTask<Boolean> work = BackgroundTask.run(() -> locks.tryWithLock(request, lock -> {
            working.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                mayEnd.await();
            }
        }));
        work.runUntil(working);
        BackgroundTask<Boolean> closing = closeLater();

        closing.interrupt();

        assertThat(closing.result()).isTrue();
        assertThat(others.tryAcquire(request)).isPresent();
        mayEnd.countDown();
    }

    @Test
    void aCallWithLessTimeEndsTheWaitOfAnother() throws Exception {
        BackgroundTask<Boolean> work = BackgroundTask.run(() -> locks.tryWithLock(request, lock -> {
            working.countDown();
            new CountDownLatch(1).await();
        }));
        work.runUntil(working);
        BackgroundTask<Boolean> closing = closeLater();

        locks.close(Duration.ZERO);

        assertThatExceptionOfType(LockLostException.class).isThrownBy(work::result);
        assertThat(closing.result()).isTrue();
    }

    @Test
    void workThatIsAwaitedEntersItsLockAgain() throws Exception {
        Lock lock = locks.asLock(request);
        BackgroundTask<Boolean> work =
                BackgroundTask.run(() -> locks.reentrant("owner").tryWithLock(request, outer -> {
                    working.countDown();
                    mayEnd.await();
                    locks.reentrant("owner")
                            .withLock(
                                    request,
                                    inner -> assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken()));
                }));
        work.runUntil(working);
        BackgroundTask<Boolean> closing = closeLater();

        mayEnd.countDown();

        assertThat(work.result()).isTrue();
        assertThat(closing.result()).isTrue();
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(lock::lock);
    }

    private BackgroundTask<Boolean> closeLater() throws Exception {
        BackgroundTask<Boolean> closing = BackgroundTask.run(() -> {
            locks.close(LONG);
            return true;
        });
        Eventually.isTrue("new acquisitions are refused", this::isRefused);
        return closing;
    }

    /** The first call has found the lock, and waits for the work before it releases the lock. */
    private BackgroundTask<Boolean> closeDuringWorkThatIgnoresItsInterrupt() throws Exception {
        CountDownLatch interrupted = new CountDownLatch(1);
        BackgroundTask<Boolean> work = BackgroundTask.run(() -> locks.tryWithLock(request, lock -> {
            working.countDown();
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                interrupted.countDown();
                mayEnd.await();
            }
        }));
        work.runUntil(working);
        BackgroundTask<Boolean> closing = BackgroundTask.run(() -> {
            locks.close(Duration.ofMillis(1));
            return true;
        });
        work.runUntil(interrupted);
        return closing;
    }

    private static boolean isWaitingOrEnded(Thread thread) {
        return EnumSet.of(Thread.State.TIMED_WAITING, Thread.State.TERMINATED).contains(thread.getState());
    }

    @Test
    void aNegativeTimeIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.close(Duration.ofMillis(-1)))
                .withMessageContaining("was PT-0.001S");
    }

    @Test
    void anEndlessTimeIsAllowed() throws Exception {
        Duration endless = ChronoUnit.FOREVER.getDuration();
        HeldLock lock = locks.acquire(request);
        BackgroundTask<Boolean> closing = BackgroundTask.run(() -> {
            locks.close(endless);
            return true;
        });
        Eventually.isTrue("new acquisitions are refused", this::isRefused);

        assertThat(closing.isDone()).isFalse();
        assertThat(lock.release()).isTrue();
        assertThat(closing.result()).isTrue();
    }

    private boolean isRefused() throws InterruptedException {
        try {
            locks.tryAcquire(request);
            return false;
        } catch (ClientClosedException e) {
            return true;
        }
    }
}
