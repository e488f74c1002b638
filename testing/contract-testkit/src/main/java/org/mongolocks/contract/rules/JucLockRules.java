package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Lock;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;
import org.mongolocks.LockLostException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;

/**
 * Rules JL, {@code java.util.concurrent.locks.Lock}: the lock belongs to a thread, and a loss is reported. Synchronous
 * client only.
 */
@SuppressWarnings("LockNotBeforeTry") // The rules are about lock() and unlock() themselves.
public interface JucLockRules extends ContractContext {
    /** JL-1. The thread that has locked it can lock it again; as many calls of unlock unlock it. */
    @Test
    @ContractRule("JL-1")
    default void aThreadLocksAgainAndUnlocksAsOften() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        Lock lock = lock(locks, name);
        Lock same = lock(locks, name);

        lock.lock();
        assertThat(same.tryLock()).isTrue();
        same.unlock();
        assertThat(newLocks().tryAcquire(name, ttl())).isEmpty();
        lock.unlock();

        assertThat(newLocks().tryAcquire(name, ttl())).isPresent();
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
    }

    /** JL-2. Another thread of the same client cannot lock or unlock it while it is held. */
    @Test
    @ContractRule("JL-2")
    default void anotherThreadIsKeptOut() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        Lock lock = lock(locks, name);
        lock.lock();

        assertThat(BackgroundTask.run(lock::tryLock).result()).isFalse();
        assertThatExceptionOfType(IllegalMonitorStateException.class)
                .isThrownBy(() -> BackgroundTask.run(unlocking(lock)).result());
        BackgroundTask<Boolean> waiter = waiterFor(name, () -> {
            lock.lock();
            return true;
        });
        assertThat(waiter.isDone()).isFalse();
        lock.unlock();

        assertThat(waiter.result()).isTrue();
    }

    /** JL-3. lock() is not aborted by an interrupt; the thread's interrupt status is set when it returns. */
    @Test
    @ContractRule("JL-3")
    default void lockingKeepsAnInterruptForLater() throws Exception {
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        Lock lock = lock(newLocks(), name);
        BackgroundTask<Boolean> waiter = waiterFor(name, () -> {
            lock.lock();
            return Thread.interrupted();
        });

        waiter.interrupt();
        assertThat(newLocks().tryAcquire(name, ttl())).isEmpty();
        assertThat(waiter.isDone()).isFalse();
        held.release();

        assertThat(waiter.result()).as("the interrupt status is set").isTrue();
    }

    /** JL-4. lockInterruptibly() and tryLock with a timeout end at an interrupt and leave nothing behind. */
    @Test
    @ContractRule("JL-4")
    default void lockingInterruptiblyAnswersAnInterrupt() throws Exception {
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        Lock lock = lock(newLocks(), name);
        BackgroundTask<Boolean> waiter = waiterFor(name, () -> {
            lock.lockInterruptibly();
            return true;
        });

        waiter.interrupt();

        Eventually.isTrue("the interrupt ends the wait", waiter::isDone);
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(waiter::result);
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> {
            Thread.currentThread().interrupt();
            lock.tryLock(1, TimeUnit.HOURS);
        });
        assertThat(held.release()).isTrue();
        assertThat(newLocks().tryAcquire(name, ttl())).isPresent();
    }

    /** JL-5. tryLock with a timeout returns false when the timeout has passed, not before. */
    @Test
    @ContractRule("JL-5")
    default void lockingWithinATimeEndsWithIt() throws Exception {
        LockName name = freshName();
        BlockingLock held = keepAlive(newLocks(), name);
        Lock lock = lock(newLocks(), name);
        Duration wait = ttl().dividedBy(2);
        long start = server().time().nanoTime();

        BackgroundTask<Boolean> waiter = BackgroundTask.run(() -> lock.tryLock(wait.toMillis(), TimeUnit.MILLISECONDS));
        assertThat(waiter.resultWhile(() -> server().elapse(wait.dividedBy(8)))).isFalse();

        assertThat(Duration.ofNanos(server().time().nanoTime() - start)).isGreaterThanOrEqualTo(wait);
        assertThat(held.isHeld()).isTrue();
    }

    /** JL-6. Unlocking a lost lock throws an exception that reports the loss, and leaves it unlocked. */
    @Test
    @ContractRule("JL-6")
    default void unlockingALostLockThrows() throws Exception {
        LockName name = freshName();
        BlockingLocks operator = newLocks();
        Lock lock = lock(newLocks(), name);
        lock.lock();
        operator.forceRelease(operator.inspect(name).orElseThrow());
        BlockingLock next = acquire(operator, name);

        assertThatExceptionOfType(LockLostException.class)
                .isThrownBy(lock::unlock)
                .withMessageContaining(name.value());
        assertThatExceptionOfType(IllegalMonitorStateException.class).isThrownBy(lock::unlock);
        assertThat(next.renew()).isTrue();
    }

    /** JL-7. An error from the server is thrown as an exception, not reported as a lock that another thread holds. */
    @Test
    @ContractRule("JL-7")
    default void serverErrorIsThrownByLock() throws Exception {
        LockName name = freshName();
        try (FaultyLocks faulty = newFaulty(true)) {
            Lock lock = lock(faulty.locks(), name);
            faulty.refuse(ALWAYS, 13, ALL);

            assertThatExceptionOfType(LockException.class).isThrownBy(lock::tryLock);
            assertThatExceptionOfType(LockException.class).isThrownBy(lock::lock);
        }
        assertThat(newLocks().tryAcquire(name, ttl())).isPresent();
    }

    private Lock lock(BlockingLocks locks, LockName name) {
        Optional<Lock> lock = locks.asLock(LockRequest.of(name, ttl()).fixedLease());
        assumeTrue(lock.isPresent(), "The reactive client has no lock that belongs to a thread");
        return lock.orElseThrow();
    }

    private BackgroundTask<Boolean> waiterFor(LockName name, Callable<Boolean> locking) throws InterruptedException {
        CountDownLatch asked = nextAnswered(name, COMMANDS_OF_A_QUESTION);
        BackgroundTask<Boolean> waiter = BackgroundTask.run(locking);
        waiter.runUntil(asked);
        return waiter;
    }

    private static Callable<Boolean> unlocking(Lock lock) {
        return () -> {
            lock.unlock();
            return true;
        };
    }
}
