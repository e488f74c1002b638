package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;

/** WT: waiting is bounded, ends when the lock is free, and leaves nothing behind when it is broken off. */
public interface WaitingRules extends ContractSetting {

    /**
     * WT-1. A waiter gives up at its deadline, not before and not much later.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("WT-1")
    default void waitingEndsAtTheDeadline() throws Exception {
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        Duration wait = ttl().dividedBy(2);
        BlockingLocks waiting = newLocks();
        long start = server().time().nanoTime();

        Background<Long> waiter = Background.run(() -> {
            assertThat(waiting.acquire(new LockRequest(name, ttl(), wait))).isEmpty();
            return server().time().nanoTime();
        });
        long end = waiter.resultWhile(() -> server().elapse(wait.dividedBy(8)));

        assertThat(Duration.ofNanos(end - start)).isBetween(wait, ttl());
        assertThat(held.isHeld()).isTrue();
    }

    /**
     * WT-2. A waiter gets a lock that its holder gives back.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("WT-2")
    default void aWaiterGetsAReleasedLock() throws Exception {
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        BlockingLocks waiting = newLocks();

        Background<Optional<BlockingLock>> waiter = Background.run(() -> waiting.acquire(patient(name)));
        assertThat(waiter.isDone()).isFalse();
        held.release();

        assertThat(waiter.result()).isPresent();
    }

    /**
     * WT-3. A waiter gets a lock whose holder never comes back, about when the lease ends.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("WT-3")
    default void aWaiterGetsAnExpiredLock() throws Exception {
        LockName name = freshName();
        acquire(newLocks(), name);
        long start = server().time().nanoTime();

        takeOver(newLocks(), name);

        assertThat(Duration.ofNanos(server().time().nanoTime() - start)).isBetween(ttl(), ttl().multipliedBy(4));
    }

    /**
     * WT-4. A waiter that is interrupted (or cancelled) stops at once and leaves nothing behind.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("WT-4")
    default void aWaiterThatIsInterruptedLeavesNothingBehind() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        BlockingLock held = acquire(newLocks(), name);

        Background<Optional<BlockingLock>> waiter = Background.run(() -> locks.acquire(patient(name)));
        waiter.interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(waiter::result);
        assertThat(held.release()).isTrue();
        assertThat(newLocks().tryAcquire(name, ttl())).isPresent();
    }

    /**
     * WT-5. Whoever is interrupted already asks for nothing, and the interrupt is answered.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("WT-5")
    default void whoIsInterruptedAlreadyAsksForNothing() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();

        Background<Boolean> asking = Background.run(() -> {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> locks.tryAcquire(name, ttl()));
            return Thread.interrupted();
        });

        assertThat(asking.result()).isFalse();
        assertThat(locks.inspect(name)).isEmpty();
    }
}
