package org.mongolocks.sync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.mongolocks.LockLostException;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.setup.BackgroundTask;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.DroppedDatabase;
import org.mongolocks.contract.setup.ServerFinder;

/** Tests of the interrupts of work: each lock that is lost interrupts the work that it guards, and clears no other. */
@ExtendWith(DroppedDatabase.class)
class InterruptedWorkTest {
    private final DriverClients connection =
            DriverClients.shared(ServerFinder.found().uri());
    private final LockClient locks = PlainClient.on(connection);
    private final LockRequest outer = LockRequest.of("outer-" + UUID.randomUUID(), Duration.ofSeconds(30));
    private final LockRequest inner = LockRequest.of("inner-" + UUID.randomUUID(), Duration.ofSeconds(30));
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
    void interruptOfAnotherOriginStaysAfterThatOfTheLossWasCleared() throws Exception {
        AtomicBoolean isInterrupted = new AtomicBoolean();
        BackgroundTask<Boolean> work = BackgroundTask.run(() -> {
            assertThatExceptionOfType(LockLostException.class)
                    .isThrownBy(() -> locks.withLock(outer, lock -> {
                        workUntilLost(lock);
                        assertThat(lock.endInterruptOnLoss()).isTrue();
                        Thread.currentThread().interrupt();
                        assertThat(lock.endInterruptOnLoss()).isTrue();
                    }));
            isInterrupted.set(Thread.interrupted());
            return true;
        });
        work.runUntil(working);

        locks.close();

        assertThat(work.result()).isTrue();
        assertThat(isInterrupted).isTrue();
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
