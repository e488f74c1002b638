package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.ClientClosedException;
import org.mongolocks.LockContendedException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.spi.LockStrategy;

/**
 * Rules OR, order of waiters: clients are served in the order in which they came, and with fair requests each waiter is,
 * on whichever client. Skipped for a strategy that keeps no lists of waiters.
 */
public interface FairnessRules extends ContractContext {
    /** More dead waiters than an event notifies, and as many as are given time for their claims. */
    int DEAD = LockStrategy.MAX_CLAIMS;
    /** The time for all claims. */
    Duration ALL_CLAIMS = LockStrategy.CLAIM_TIME.multipliedBy(DEAD);
    /** When a waiter behind the notified ones has looked for its turn in any case. */
    Duration FAR_BACK = Duration.ofSeconds(9);

    /**
     * OR-1. Clients get the lock in the order in which they began to wait for it; with fair requests all waiters do.
     *
     * @param isFair whether the requests are fair, several of each client; else one of each client waits
     */
    @ParameterizedTest(name = "fair={0}")
    @ValueSource(booleans = {false, true})
    @ContractRule("OR-1")
    default void waitersAreServedInOrder(boolean isFair) throws Exception {
        requireLists();
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        List<BlockingLocks> clients = new ArrayList<>();
        List<Integer> served = new CopyOnWriteArrayList<>();
        List<Long> times = new CopyOnWriteArrayList<>();
        List<BackgroundTask<Boolean>> waiters = new ArrayList<>();
        for (int number = 0; number < 6; number++) {
            int mine = number;
            clients.add(isFair && number > 1 ? clients.get(number % 2) : newLocks());
            waiters.add(waiter(clients.get(number), request(name, isFair), lock -> {
                served.add(mine);
                times.add(System.nanoTime());
            }));
        }

        times.add(System.nanoTime());
        held.release();
        for (BackgroundTask<Boolean> waiter : waiters) {
            waiter.result();
        }

        List<Integer> inOrder = List.of(0, 1, 2, 3, 4, 5);
        assumeTrue(served.equals(inOrder) || isPrompt(times), TOO_SLOW);
        assertThat(served).isEqualTo(inOrder);
    }

    /**
     * OR-2. A waiter that was interrupted (or cancelled) leaves the list, and the next one is served at once.
     *
     * @param isFair whether the requests are fair
     */
    @ParameterizedTest(name = "fair={0}")
    @ValueSource(booleans = {false, true})
    @ContractRule("OR-2")
    default void interruptedWaiterLeavesTheList(boolean isFair) throws Exception {
        requireLists();
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        BackgroundTask<Boolean> impatient = waiter(newLocks(), request(name, isFair), lock -> {});
        BackgroundTask<Boolean> patient = waiter(newLocks(), request(name, isFair), lock -> {});

        impatient.interrupt();
        assertThatExceptionOfType(InterruptedException.class).isThrownBy(impatient::result);
        Eventually.isTrue("only the other waiter is in the list", () -> waiters(name) == 1);
        held.release();

        Eventually.isTrue("the next is served", patient::isDone);
        assertThat(patient.result()).isTrue();
    }

    /**
     * OR-3. A lock whose first waiters have died is granted to the next one within three seconds of its release and the time
     * of its commands, however many have; within nine seconds if four or more have, and the turns before took long.
     *
     * @param dead how many have died
     */
    @ParameterizedTest(name = "dead={0}")
    @ValueSource(ints = {1, LockStrategy.NOTIFIED_WAITERS, DEAD + 4})
    @ContractRule("OR-3")
    default void waitersThatDiedArePassedOver(int dead) throws Exception {
        requireLists();
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        dieWaiting(name, dead);
        BackgroundTask<Boolean> alive = waiter(newLocks(), request(name, false), lock -> {});
        long start = server().time().nanoTime();

        held.release();
        assertThat(alive.resultWhile(() -> server().elapse(LockStrategy.CLAIM_TIME.dividedBy(2))))
                .isTrue();

        assertThat(Duration.ofNanos(server().time().nanoTime() - start))
                .isLessThanOrEqualTo((dead < LockStrategy.NOTIFIED_WAITERS ? ALL_CLAIMS.plusSeconds(1) : FAR_BACK)
                        .plus(server().timeout()));
        assertThat(waiters(name)).isZero();
    }

    /**
     * OR-4. A request without a wait is not granted a free lock that others wait for, fair or not: it is contended, and
     * the snapshot and the exception show that. If these have died, it is granted the lock after the time for their
     * claims.
     */
    @Test
    @ContractRule("OR-4")
    default void aTryDoesNotOvertakeWaiters() throws Exception {
        requireLists();
        LockName name = freshName();
        LockRequest once = request(name, false).waitAtMost(Duration.ZERO);
        BlockingLocks others = newLocks();
        BlockingLock held = acquire(newLocks(), name);
        dieWaiting(name, DEAD);
        long released = server().time().nanoTime();
        held.release();

        List<Optional<BlockingLock>> tries = List.of(others.tryAcquire(once), others.tryAcquire(once.fair()));
        Throwable refused = catchThrowable(() -> others.acquire(once));
        LockSnapshot seen = others.inspect(name).orElseThrow();
        assumeTrue(isWithin(ALL_CLAIMS, released), TOO_SLOW);
        assertThat(tries).containsOnly(Optional.empty());
        assertThat(refused)
                .isInstanceOf(LockContendedException.class)
                .hasMessageStartingWith("Lock '" + name + "' is free, but others wait for it and come first");
        assertThat(((LockContendedException) refused).holder()).isEmpty();
        assertThat(seen.holder()).isEmpty();
        assertThat(seen.waiters()).isEqualTo(DEAD);

        server().elapse(ALL_CLAIMS);
        assertThat(others.tryAcquire(once)).isPresent();
        assertThat(waiters(name)).isZero();
    }

    /**
     * OR-5. A waiter that was served, acquired without waiting, or stopped at its deadline leaves nothing in the list.
     *
     * @param isFair whether the requests are fair
     */
    @ParameterizedTest(name = "fair={0}")
    @ValueSource(booleans = {false, true})
    @ContractRule("OR-5")
    default void theListIsEmptyAfterTheLastWaiter(boolean isFair) throws Exception {
        requireLists();
        LockName name = freshName();
        BlockingLock held = newLocks().tryAcquire(request(name, isFair)).orElseThrow();
        BackgroundTask<Boolean> first = waiter(newLocks(), request(name, isFair), lock -> {});
        BackgroundTask<Boolean> brief =
                waiter(newLocks(), request(name, isFair).waitAtMost(ttl().dividedBy(20)), lock -> {});
        assertThat(brief.resultWhile(() -> server().elapse(ttl().dividedBy(40))))
                .isFalse();
        assertThat(waiters(name)).isEqualTo(1);
        BackgroundTask<Boolean> second = waiter(newLocks(), request(name, isFair), lock -> {});

        held.release();

        assertThat(first.result()).isTrue();
        assertThat(second.result()).isTrue();
        assertThat(waiters(name)).isZero();
    }

    /** OR-6. If the reply to the attempt that adds a waiter to the list is lost, the retry adds no second entry. */
    @Test
    @ContractRule("OR-6")
    default void aRetryAddsNoSecondEntry() throws Exception {
        requireLists();
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        try (FaultyLocks faulty = newFaulty(true)) {
            CountDownLatch listens = faulty.nextSent(List.of("aggregate"));
            faulty.failWriteConcern(1, List.of("findAndModify"));

            BackgroundTask<Boolean> waiter = waiter(faulty.locks(), request(name, false), lock -> {});
            waiter.runUntil(listens);
            assertThat(waiters(name)).isEqualTo(1);
            held.release();

            assertThat(waiter.result()).isTrue();
        }
        assertThat(waiters(name)).isZero();
    }

    /** OR-7. Closing a client removes its waiters from the list. */
    @Test
    @ContractRule("OR-7")
    default void aClosedClientLeavesTheList() throws Exception {
        requireLists();
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);
        BlockingLocks closing = newLocks();
        BackgroundTask<Boolean> one = waiter(closing, request(name, true), lock -> {});
        BackgroundTask<Boolean> two = waiter(closing, request(name, true), lock -> {});
        BackgroundTask<Boolean> next = waiter(newLocks(), request(name, true), lock -> {});

        closing.close();
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(one::result);
        assertThatExceptionOfType(ClientClosedException.class).isThrownBy(two::result);
        Eventually.isTrue("only the other waiter is in the list", () -> waiters(name) == 1);
        held.release();

        Eventually.isTrue("the next is served", next::isDone);
        assertThat(next.result()).isTrue();
    }

    /** OR-8. A fair request is refused, before a command is sent, where there are no lists of waiters. */
    @Test
    @ContractRule("OR-8")
    default void aFairRequestIsRefusedWithoutLists() throws Exception {
        assumeFalse(hasWaitingLists(), "the strategy keeps lists of waiters");
        LockName name = freshName();
        BlockingLocks locks = newLocks();

        assertThatIllegalArgumentException()
                .isThrownBy(() -> locks.tryAcquire(request(name, true)))
                .withMessageContaining("'" + strategy().name() + "'");

        assertThat(locks.inspect(name)).isEmpty();
    }

    /** Returns whether no waiter can have been passed over because it was late. */
    private static boolean isPrompt(List<Long> grantedNanos) {
        return IntStream.range(1, grantedNanos.size())
                .allMatch(i -> grantedNanos.get(i) - grantedNanos.get(i - 1) < LockStrategy.CLAIM_TIME.toNanos());
    }

    private LockRequest request(LockName name, boolean isFair) {
        return isFair ? patient(name).fair() : patient(name);
    }

    /** Starts a waiter, and returns once it is in the list; it releases the lock after its critical section. */
    private BackgroundTask<Boolean> waiter(BlockingLocks locks, LockRequest request, CriticalSection section)
            throws Exception {
        int before = waiters(request.name());
        BackgroundTask<Boolean> waiter = BackgroundTask.run(() -> {
            Optional<BlockingLock> lock = locks.tryAcquire(request);
            lock.ifPresent(section::run);
            return lock.filter(BlockingLock::release).isPresent();
        });
        Eventually.isTrue("another waiter is in the list", () -> waiter.isDone() || waiters(request.name()) > before);
        return waiter;
    }

    private void requireLists() {
        assumeTrue(hasWaitingLists(), NO_LISTS);
    }

    /** Adds fair waiters to the list whose client then loses its connection for good. */
    private void dieWaiting(LockName name, int waiters) throws Exception {
        FaultyLocks dying = newFaulty(true);
        CountDownLatch listens = dying.nextSent(List.of("aggregate"));
        List<BackgroundTask<Boolean>> dead = new ArrayList<>();
        for (int number = 0; number < waiters; number++) {
            dead.add(waiter(dying.locks(), request(name, true), lock -> {}));
        }
        Eventually.isTrue("the first waiter has found the lock contended, and listens", () -> listens.getCount() == 0);
        dying.die();
        for (BackgroundTask<Boolean> waiter : dead) {
            Eventually.isTrue("the waiters of the dead client end", waiter::isDone);
        }
        assertThat(waiters(name)).isEqualTo(waiters);
    }

    /** Work under the lock. */
    @FunctionalInterface
    interface CriticalSection {
        /** Does the work. */
        void run(BlockingLock lock);
    }
}
