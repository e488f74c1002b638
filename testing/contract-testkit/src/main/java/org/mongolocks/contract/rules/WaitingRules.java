package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.server.BackgroundTask;

/**
 * Rules WT, waiting: waiting is bounded even if the server does not reply, ends when the lock can be acquired, and leaves
 * nothing behind when it is interrupted.
 */
public interface WaitingRules extends ContractContext {

    /** WT-1. A waiter stops at its deadline, not before and not much later. */
    @Test
    @ContractRule("WT-1")
    default void waitingEndsAtTheDeadline() throws Exception {
        LockName name = freshName();
        BlockingLock held = keepAlive(newLocks(), name);
        Duration wait = ttl().dividedBy(2);
        BlockingLocks waiting = newLocks();
        long start = server().time().nanoTime();

        BackgroundTask<Long> waiter = BackgroundTask.run(() -> {
            assertThat(waiting.tryAcquire(
                            LockRequest.of(name, ttl()).fixedLease().waitAtMost(wait)))
                    .isEmpty();
            return server().time().nanoTime();
        });
        long end = waiter.resultWhile(() -> server().elapse(wait.dividedBy(8)));

        assertThat(Duration.ofNanos(end - start)).isBetween(wait, ttl());
        assertThat(held.isHeld()).isTrue();
    }

    /** WT-2. A waiter gets the lock when its holder releases it. */
    @Test
    @ContractRule("WT-2")
    default void aWaiterGetsAReleasedLock() throws Exception {
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);

        BackgroundTask<Optional<BlockingLock>> waiter = waiterFor(name);
        assertThat(waiter.isDone()).isFalse();
        assertThat(held.release()).isTrue();

        assertThat(waiter.result()).isPresent();
    }

    /** WT-3. A waiter gets the lock of a holder that never returns about when the lease ends. */
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
     * WT-4. An interrupted (or cancelled) waiter sends no more commands, reports the interrupt, and leaves nothing
     * behind. A command in flight is awaited first, at most for the command timeout.
     */
    @Test
    @ContractRule("WT-4")
    default void interruptedWaiterLeavesNoLease() throws Exception {
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);

        BackgroundTask<Optional<BlockingLock>> waiter = waiterFor(name);
        waiter.interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(waiter::result);
        assertThat(held.release()).isTrue();
        assertThat(newLocks()
                        .tryAcquire(LockRequest.of(name, ttl()).fixedLease().waitAtMost(ttl().dividedBy(2))))
                .as("granted long before a lease that was left behind would end")
                .isPresent();
    }

    /** WT-5. If the thread is interrupted before the call, no command is sent, and the interrupt is reported. */
    @Test
    @ContractRule("WT-5")
    default void interruptedThreadSendsNoCommand() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();

        BackgroundTask<Boolean> asking = BackgroundTask.run(() -> {
            Thread.currentThread().interrupt();
            assertThatExceptionOfType(InterruptedException.class).isThrownBy(() -> locks.tryAcquire(name, ttl()));
            return Thread.interrupted();
        });

        assertThat(asking.result()).isFalse();
        assertThat(locks.inspect(name)).isEmpty();
    }

    /** Starts a waiter for a held lock, and returns once it has found the lock contended at least once. */
    private BackgroundTask<Optional<BlockingLock>> waiterFor(LockName name) throws InterruptedException {
        BlockingLocks waiting = newLocks();
        CountDownLatch asked = nextAnswered(name, COMMANDS_OF_A_QUESTION);
        BackgroundTask<Optional<BlockingLock>> waiter = BackgroundTask.run(() -> waiting.tryAcquire(patient(name)));
        waiter.runUntil(asked);
        return waiter;
    }

    /**
     * WT-6. An acquisition returns at most one command timeout after its deadline, even if the server does not reply
     * and a grant would have to be compensated.
     *
     * @param isInOrder whether the request is fair
     */
    @ParameterizedTest(name = "inOrder={0}")
    @ValueSource(booleans = {false, true})
    @ContractRule("WT-6")
    default void anAnswerComesOneCommandAfterTheDeadline(boolean isInOrder) throws Exception {
        assumeTrue(hasWaitingLists() || !isInOrder, NO_LISTS);
        Duration limit = server().timeout();
        try (FaultyLocks faulty = newHurried(true)) {
            acquire(faulty.locks(), freshName());
            faulty.stall(ALL);

            Duration answered = timeToAnswer(faulty.locks(), isInOrder);
            for (int tries = 1; tries < 3 && answered.compareTo(limit.multipliedBy(2)) >= 0; tries++) {
                answered = timeToAnswer(faulty.locks(), isInOrder);
            }

            assertThat(answered)
                    .as("the shortest of three waits, with as much again for a busy machine")
                    .isLessThan(limit.multipliedBy(2));
        }
    }

    private Duration timeToAnswer(BlockingLocks locks, boolean isInOrder) {
        LockRequest plain = LockRequest.of(freshName(), ttl()).fixedLease().waitAtMost(Duration.ofMillis(1));
        long start = System.nanoTime();
        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> locks.tryAcquire(isInOrder ? plain.fair() : plain));
        return Duration.ofNanos(System.nanoTime() - start);
    }
}
