package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
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

        Background<Optional<BlockingLock>> waiter = waiterFor(name);
        assertThat(waiter.isDone()).isFalse();
        assertThat(held.release()).isTrue();

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
     * WT-4. A waiter that is interrupted (or cancelled) asks no more, answers the interrupt, and leaves nothing behind. A
     * command that is under way is awaited first, at most for its time limit: not every JDK can interrupt a thread that
     * reads from a socket.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("WT-4")
    default void aWaiterThatIsInterruptedLeavesNothingBehind() throws Exception {
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);

        Background<Optional<BlockingLock>> waiter = waiterFor(name);
        waiter.interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(waiter::result);
        assertThat(held.release()).isTrue();
        assertThat(newLocks().acquire(new LockRequest(name, ttl(), ttl().dividedBy(2))))
                .as("granted long before a lease that was left behind would end")
                .isPresent();
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

    /** Starts a waiter for a held lock, and lets it ask until it has surely been told at least once that it is held. */
    private Background<Optional<BlockingLock>> waiterFor(LockName name) throws InterruptedException {
        BlockingLocks waiting = newLocks();
        CountDownLatch asked = nextAnswered(name, COMMANDS_OF_A_QUESTION);
        Background<Optional<BlockingLock>> waiter = Background.run(() -> waiting.acquire(patient(name)));
        waiter.runUntil(asked);
        return waiter;
    }
}
