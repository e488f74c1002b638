package org.mongolocks.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.HeldLock.LockedAction;

/** Tests of the interrupts of work: each lock that is lost interrupts the work that it guards, and clears none. */
@ExtendWith(DroppedDatabase.class)
class InterruptedWorkTest {
    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final LockClient locks = PlainClient.on(connection);
    private final LockRequest outer =
            LockRequest.of("outer-" + UUID.randomUUID(), Duration.ofSeconds(30)).fixedLease();
    private final LockRequest inner =
            LockRequest.of("inner-" + UUID.randomUUID(), Duration.ofSeconds(30)).fixedLease();
    private final CountDownLatch working = new CountDownLatch(1);

    @AfterEach
    void close() {
        Thread.interrupted();
        locks.close();
    }

    /** Runs work until a loss interrupts it, under a lock. */
    @FunctionalInterface
    private interface InnerWork {
        void run(InterruptedWorkTest test) throws Exception;
    }

    static Stream<InnerWork> innerWork() {
        return Stream.of(
                test -> test.locks.withLock(test.inner, test::workUntilInterrupted),
                test -> test.locks.withLock(test.inner, test::workUntilLost),
                test -> test.locks.reentrant("owner").withLock(test.outer, test::workUntilInterrupted),
                test -> test.locks.reentrant("owner").withLock(test.outer, test::workUntilLost));
    }

    @ParameterizedTest
    @MethodSource("innerWork")
    void innerWorkThatReportsItsLossLeavesTheInterruptOfTheOuterWork(InnerWork innerWork) throws Exception {
        AtomicBoolean isInterrupted = new AtomicBoolean();
        BackgroundTask<Boolean> work =
                BackgroundTask.run(() -> locks.reentrant("owner").tryWithLock(outer, lock -> {
                    assertThatExceptionOfType(LockLostException.class).isThrownBy(() -> innerWork.run(this));
                    isInterrupted.set(Thread.currentThread().isInterrupted());
                }));
        work.runUntil(working);

        locks.close();

        assertThatExceptionOfType(LockLostException.class).isThrownBy(work::result);
        assertThat(isInterrupted).isTrue();
    }

    @Test
    void innerWorkThatEndsItsInterruptLeavesThatOfTheOuterWork() throws Exception {
        LockOperations entered = locks.reentrant("owner");
        BackgroundTask<Boolean> work = BackgroundTask.run(() -> entered.tryWithLock(outer, lock -> {
            entered.withLock(
                    outer, again -> assertThat(again.endInterruptOnLoss()).isFalse());
            workUntilInterrupted(lock);
        }));
        work.runUntil(working);

        locks.close();

        assertThatExceptionOfType(LockLostException.class).isThrownBy(work::result);
    }

    /** What the work does with interrupts around the loss of its lock. */
    @FunctionalInterface
    private interface InterruptedWork {
        void run(InterruptedWorkTest test, HeldLock lock) throws Exception;
    }

    /** Besides that of the loss, each work gets an interrupt of the application: one flag shows both. */
    static Stream<InterruptedWork> workWithAnotherInterrupt() {
        return Stream.of(
                (test, lock) -> {
                    Thread.currentThread().interrupt();
                    test.workUntilLost(lock);
                },
                (test, lock) -> {
                    test.workUntilLost(lock);
                    Thread.currentThread().interrupt();
                },
                (test, lock) -> {
                    test.workUntilLost(lock);
                    Thread.currentThread().interrupt();
                    new CountDownLatch(1).await();
                },
                (test, lock) -> {
                    test.workUntilLost(lock);
                    Thread.currentThread().interrupt();
                    throw new AssertionError("for a test");
                },
                (test, lock) -> {
                    test.workUntilLost(lock);
                    Thread.currentThread().interrupt();
                    throw new IllegalStateException("for a test");
                },
                (test, lock) -> {
                    test.workUntilLost(lock);
                    assertThat(lock.endInterruptOnLoss()).isTrue();
                    Thread.currentThread().interrupt();
                    assertThat(lock.endInterruptOnLoss()).isTrue();
                });
    }

    /** A call that runs work under a lock. */
    @FunctionalInterface
    private interface Call {
        void run(InterruptedWorkTest test, LockedAction<Exception> work) throws Exception;
    }

    static Stream<Call> calls() {
        return Stream.of(
                (test, work) -> test.locks.withLock(test.outer, work),
                (test, work) -> test.locks.reentrant("owner").withLock(test.outer, work),
                (test, work) -> test.locks.withLocks(
                        MultiLockRequest.of(List.of(test.outer.name().value()), test.outer.ttl())
                                .fixedLease(),
                        set -> work.run(set.get(test.outer.name()))));
    }

    static Stream<Arguments> callsAndWork() {
        return calls().flatMap(call -> workWithAnotherInterrupt().map(work -> Arguments.of(call, work)));
    }

    @ParameterizedTest
    @MethodSource("callsAndWork")
    @Tag("finds:loss-clears-an-interrupt")
    void anInterruptOfAnotherOriginIsNotLost(Call call, InterruptedWork interrupted) throws Exception {
        assertInterruptedAfter(() -> call.run(this, lock -> interrupted.run(this, lock)));
    }

    @Test
    @Tag("finds:loss-clears-an-interrupt")
    void aHandleThatEndsItsInterruptClearsNone() throws Exception {
        assertInterruptedAfter(() -> {
            try (HeldLock lock = locks.acquire(outer)) {
                lock.interruptOnLoss();
                workUntilLost(lock);
                Thread.currentThread().interrupt();
                assertThat(lock.endInterruptOnLoss()).isTrue();
                assertThat(lock.endInterruptOnLoss()).isTrue();
            }
        });
    }

    /** Runs work until its lock is lost, within other work. */
    @FunctionalInterface
    private interface OuterWork {
        void run(InterruptedWorkTest test, LockedAction<Exception> inner) throws Exception;
    }

    static Stream<OuterWork> outerWork() {
        return Stream.of(
                (test, inner) -> test.locks.withLock(test.outer, inner),
                (test, inner) -> {
                    try (HeldLock lock = test.locks.acquire(test.outer)) {
                        lock.interruptOnLoss();
                        inner.run(lock);
                    }
                },
                (test, inner) -> {
                    DistributedLock lock = test.locks.asLock(test.outer);
                    lock.lock();
                    lock.heldLock().orElseThrow().interruptOnLoss();
                    inner.run(lock.heldLock().orElseThrow());
                });
    }

    /** Handles the interrupt of its loss, and ends in one of several ways. */
    static Stream<LockedAction<Exception>> innerEnds() {
        return Stream.of(
                lock -> new CountDownLatch(1).await(),
                lock -> assertThatExceptionOfType(InterruptedException.class)
                        .isThrownBy(() -> new CountDownLatch(1).await()),
                lock -> {});
    }

    static Stream<Arguments> nestedWork() {
        return outerWork().flatMap(outer -> innerEnds().map(end -> Arguments.of(outer, end)));
    }

    /** Both locks, of two clients, are lost in the inner work, which takes the one interrupt of the thread. */
    @ParameterizedTest
    @MethodSource("nestedWork")
    @Tag("finds:nested-work-is-not-interrupted")
    void theOuterWorkIsInterruptedThoughTheInnerTookTheInterrupt(OuterWork outerWork, LockedAction<Exception> end)
            throws Exception {
        LockClient others = PlainClient.on(connection);
        AtomicBoolean isInterrupted = new AtomicBoolean();
        BackgroundTask<Boolean> work = BackgroundTask.run(() -> {
            try {
                outerWork.run(this, outerLock -> {
                    assertThatExceptionOfType(LockLostException.class)
                            .isThrownBy(() -> others.withLock(inner, lock -> {
                                workUntilLost(lock);
                                workUntilLost(outerLock);
                                while (!Thread.currentThread().isInterrupted()) {
                                    Thread.onSpinWait();
                                }
                                end.run(lock);
                            }));
                    isInterrupted.set(Thread.interrupted());
                });
            } catch (LockLostException e) {
                return true;
            }
            return false;
        });
        work.runUntil(working);

        BackgroundTask<Boolean> closing = BackgroundTask.run(() -> {
            others.close();
            return true;
        });
        locks.close();

        assertThat(closing.result()).isTrue();
        work.awaitEnd();
        assertThat(isInterrupted).isTrue();
    }

    /** A lock that was lost before the work has interrupted nothing. */
    @Test
    void aLossThatThisThreadFindsLeavesNoInterrupt() throws Exception {
        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(() -> locks.withLock(outer, lock -> {
                    locks.forceRelease(locks.inspect(outer.name()).orElseThrow());
                    assertThat(lock.renew()).isFalse();
                }));

        assertThat(Thread.interrupted()).isFalse();
    }

    /** The locks of an interrupted thread are released, and it can close what it has to. */
    @Test
    void aThreadThatStaysInterruptedReleasesItsOtherLocks() throws Exception {
        LockClient others = PlainClient.on(connection);
        BackgroundTask<Boolean> work = BackgroundTask.run(() -> {
            try (HeldLock other = others.acquire(inner)) {
                assertThatExceptionOfType(LockLostException.class)
                        .isThrownBy(() -> locks.withLock(outer, this::workUntilInterrupted));
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
                assertThat(other.isHeld()).isTrue();
            }
            return Thread.interrupted();
        });
        work.runUntil(working);

        locks.close();

        assertThat(work.result()).isTrue();
        assertThat(others.tryAcquire(inner)).isPresent();
        others.close();
    }

    private void assertInterruptedAfter(ThrowingCallable call) throws Exception {
        BackgroundTask<Boolean> work = BackgroundTask.run(() -> {
            Throwable unused = catchThrowable(call);
            return Thread.interrupted();
        });
        work.runUntil(working);

        locks.close();

        assertThat(work.result()).isTrue();
    }

    /** Another lock may be lost, and interrupt the work, before this one. */
    private void workUntilInterrupted(HeldLock lock) throws InterruptedException {
        workUntilLost(lock);
        new CountDownLatch(1).await();
    }

    private void workUntilLost(HeldLock lock) {
        working.countDown();
        while (lock.isHeld()) {
            Thread.onSpinWait();
        }
    }
}
