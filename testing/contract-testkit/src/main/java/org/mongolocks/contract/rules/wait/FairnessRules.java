package org.mongolocks.contract.rules.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.contract.setup.BackgroundTask;
import org.mongolocks.contract.setup.BackgroundTask.Eventually;
import org.mongolocks.contract.setup.ContractServer.LeaseElapser;

/**
 * Rules OR, fair requests: fair requests are served in the order in which they entered the queue, on whichever client.
 */
public interface FairnessRules extends ContractContext {
    /** Enough dead waiters that skipping them one after another would take far longer than skipping them together. */
    int DEAD = 4;

    /**
     * OR-1. Fair waiters get the lock in the order in which they entered the queue, also across clients.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OR-1")
    default void fairWaitersAreServedInOrder() throws Exception {
        requireFairRequests();
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        List<BlockingLocks> clients = List.of(newLocks(), newLocks());
        List<Integer> served = new CopyOnWriteArrayList<>();
        List<BackgroundTask<Boolean>> waiters = new ArrayList<>();
        for (int number = 0; number < 6; number++) {
            int mine = number;
            waiters.add(fairWaiter(clients.get(number % 2), name, lock -> served.add(mine)));
        }

        held.release();
        for (BackgroundTask<Boolean> waiter : waiters) {
            waiter.result();
        }

        assertThat(served).containsExactly(0, 1, 2, 3, 4, 5);
    }

    /**
     * OR-2. A waiter that has stopped waiting is skipped at once.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OR-2")
    default void waiterThatGaveUpIsSkipped() throws Exception {
        requireFairRequests();
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        BackgroundTask<Boolean> impatient = fairWaiter(newLocks(), name, lock -> {});
        BackgroundTask<Boolean> patient = fairWaiter(newLocks(), name, lock -> {});

        impatient.interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(impatient::result);
        Eventually.isTrue("the ticket is removed", () -> tickets(name) == 1);
        held.release();

        Eventually.isTrue("the next is served", patient::isDone);
        assertThat(patient.result()).isTrue();
    }

    /**
     * OR-3. The waiters of a client that has died are skipped together, within one lease.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OR-3")
    default void theWaitersOfADeadClientAreSkippedTogether() throws Exception {
        requireFairRequests();
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        dieWaiting(name, DEAD);
        BackgroundTask<Boolean> alive = fairWaiter(newLocks(), name, lock -> {});
        long start = server().time().nanoTime();

        held.release();
        assertThat(alive.resultWhile(new LeaseElapser(server())::step)).isTrue();

        assertThat(Duration.ofNanos(server().time().nanoTime() - start))
                .isLessThan(ttl().multipliedBy(DEAD).dividedBy(2));
    }

    /**
     * OR-4. A fair request without waiting gets the lock only if the queue is empty; an unfair request may overtake the
     * queue.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OR-4")
    default void fairTryDoesNotOvertakeTheQueue() throws Exception {
        requireFairRequests();
        LockName name = freshName();
        LockRequest once = new LockRequest(name, ttl(), Duration.ZERO);
        BlockingLocks others = newLocks();
        BlockingLock held = acquire(newLocks(), name);
        dieWaiting(name, 1);
        held.release();

        assertThat(others.acquire(once.fair())).isEmpty();
        assertThat(others.acquire(once)).isPresent();
        LockRequest elsewhere = new LockRequest(freshName(), ttl(), Duration.ZERO);
        assertThat(others.acquire(elsewhere.fair())).isPresent();
    }

    /**
     * OR-5. A waiter that was served, acquired without waiting, or stopped at its deadline leaves nothing in the queue.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OR-5")
    default void queueIsEmptyAfterTheLastWaiter() throws Exception {
        requireFairRequests();
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        BlockingLock held = locks.acquire(patient(name).fair()).orElseThrow();
        BackgroundTask<Boolean> first = fairWaiter(newLocks(), name, lock -> {});
        LockRequest brief = new LockRequest(name, ttl(), ttl().dividedBy(20)).fair();
        assertThat(locks.acquire(brief)).isEmpty();
        BackgroundTask<Boolean> second = fairWaiter(newLocks(), name, lock -> {});

        held.release();

        assertThat(first.result()).isTrue();
        assertThat(second.result()).isTrue();
        assertThat(tickets(name)).isNegative();
    }

    /**
     * OR-6. If the reply to a ticket request is lost, the retry returns the same ticket.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OR-6")
    default void retriedTicketRequestKeepsItsTicket() throws Exception {
        requireFairRequests();
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        try (FaultyLocks faulty = newFaulty(true)) {
            faulty.failWriteConcern(1, List.of("findAndModify"));

            BackgroundTask<Boolean> waiter = fairWaiter(faulty.locks(), name, lock -> {});
            assertThat(tickets(name)).isEqualTo(1);
            held.release();

            assertThat(waiter.result()).isTrue();
        }
        assertThat(tickets(name)).isNegative();
    }

    /**
     * OR-7. Closing a client removes the tickets of its waiters.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OR-7")
    default void aClosedClientLeavesTheQueue() throws Exception {
        requireFairRequests();
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        BlockingLocks closing = newLocks();
        BackgroundTask<Boolean> one = fairWaiter(closing, name, lock -> {});
        BackgroundTask<Boolean> two = fairWaiter(closing, name, lock -> {});
        BackgroundTask<Boolean> next = fairWaiter(newLocks(), name, lock -> {});

        closing.close();
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(one::result);
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(two::result);
        Eventually.isTrue("only the other ticket remains", () -> tickets(name) == 1);
        held.release();

        Eventually.isTrue("the next is served", next::isDone);
        assertThat(next.result()).isTrue();
    }

    /** Starts a fair waiter, and returns once it is in the queue; it releases the lock after its critical section. */
    private BackgroundTask<Boolean> fairWaiter(BlockingLocks locks, LockName name, CriticalSection section)
            throws Exception {
        int before = Math.max(0, tickets(name));
        BackgroundTask<Boolean> waiter = BackgroundTask.run(() -> {
            Optional<BlockingLock> lock = locks.acquire(patient(name).fair());
            lock.ifPresent(section::run);
            return lock.filter(BlockingLock::release).isPresent();
        });
        Eventually.isTrue("another waiter is in the queue", () -> waiter.isDone() || tickets(name) > before);
        return waiter;
    }

    private void requireFairRequests() {
        assumeTrue(server().hasUpdatePipelines(), "fair requests need update pipelines");
    }

    /** Adds waiters to the queue whose client then loses its connection for good. */
    private void dieWaiting(LockName name, int waiters) throws Exception {
        FaultyLocks dying = newFaulty(true);
        CountDownLatch listens = dying.nextSent(List.of("aggregate"));
        List<BackgroundTask<Boolean>> dead = new ArrayList<>();
        for (int number = 0; number < waiters; number++) {
            dead.add(fairWaiter(dying.locks(), name, lock -> {}));
        }
        assertThat(listens.await(10, TimeUnit.SECONDS))
                .as("the first waiter has found the lock contended, and waits for its release")
                .isTrue();
        dying.die();
        for (BackgroundTask<Boolean> waiter : dead) {
            Eventually.isTrue("the waiters of the dead client end", waiter::isDone);
        }
        assertThat(tickets(name)).isEqualTo(waiters);
    }

    /** Work under the lock. */
    @FunctionalInterface
    interface CriticalSection {
        /**
         * Does the work.
         *
         * @param lock the lock
         */
        void run(BlockingLock lock);
    }
}
