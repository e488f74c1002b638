package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.BlockingLocks.BlockingLockSet;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.RacyCounter;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * Rules ML, several locks: they are acquired all or none, without deadlock. Locks that are held while waiting for another
 * are kept, and a failed acquisition leaves nothing behind.
 */
public interface MultiLockRules extends ContractContext {
    /** ML-1. All locks of a set are held, each with its own token, until they are released. */
    @Test
    @ContractRule("ML-1")
    default void allLocksOfASetAreHeldEachWithItsToken() throws Exception {
        List<LockName> names = freshNames(3);
        BlockingLocks others = newLocks();
        long earlier = acquire(others, names.get(1)).fencingToken();
        others.forceRelease(others.inspect(names.get(1)).orElseThrow());

        BlockingLockSet set =
                newLocks().tryAcquireAll(set(names, Duration.ZERO)).orElseThrow();

        assertThat(set.isHeld()).isTrue();
        for (LockName name : names) {
            LockSnapshot seen = others.inspect(name).orElseThrow();
            assertThat(seen.holder()).contains(set.get(name).lease().owner().stored());
            assertThat(seen.fencingToken()).isEqualTo(set.get(name).fencingToken());
            assertThat(others.tryAcquire(name, ttl())).isEmpty();
        }
        assertThat(set.get(names.get(1)).fencingToken()).isGreaterThan(earlier);
        assertThat(set.release()).isTrue();
        assertThat(acquiresEach(names)).isTrue();
    }

    /** ML-2. If one lock of a set is held, the set is contended and nothing is left behind. */
    @Test
    @ContractRule("ML-2")
    default void setWithAContendedLockHoldsNothing() throws Exception {
        for (int position = 0; position < 3; position++) {
            List<LockName> names = new ArrayList<>(freshNames(3));
            BlockingLock held = acquire(newLocks(), names.remove(position));
            List<LockName> all = new ArrayList<>(names);
            all.add(held.lease().name());

            assertThat(newLocks().tryAcquireAll(set(all, Duration.ZERO))).isEmpty();

            Eventually.isTrue("the others are released", () -> acquiresEach(names));
            assertThat(held.release()).isTrue();
        }
    }

    /** ML-3. A set is waited for until its deadline; then nothing is left behind. */
    @Test
    @ContractRule("ML-3")
    default void setThatTimesOutHoldsNothing() throws Exception {
        List<LockName> names = freshNames(3);
        BlockingLock held = keepAlive(newLocks(), names.get(2));
        Duration wait = ttl().dividedBy(2);
        BlockingLocks waiting = newLocks();
        long start = server().time().nanoTime();

        BackgroundTask<Long> waiter = BackgroundTask.run(() -> {
            assertThat(waiting.tryAcquireAll(set(names, wait))).isEmpty();
            return server().time().nanoTime();
        });
        long end = waiter.resultWhile(() -> server().elapse(wait.dividedBy(8)));

        assertThat(Duration.ofNanos(end - start)).isBetween(wait, ttl());
        Eventually.isTrue("the others are released", () -> acquiresEach(names.subList(0, 2)));
        assertThat(held.isHeld()).isTrue();
    }

    /**
     * ML-4. Overlapping sets never deadlock, in whatever order they name their locks, and the data of each lock is
     * changed by one holder at a time.
     */
    @Test
    @ContractRule("ML-4")
    default void setsThatOverlapNeitherBlockNorMix() throws Exception {
        List<LockName> names = freshNames(3);
        LockName a = names.get(0);
        LockName b = names.get(1);
        LockName c = names.get(2);
        List<RacyCounter> three = List.of(newWitness(), newWitness(), newWitness());
        Function<LockName, RacyCounter> witnesses = name -> three.get(names.indexOf(name));
        List<List<LockName>> sets = List.of(List.of(a, b), List.of(b, a), List.of(c, b), List.of(c, a, b));

        AtomicInteger granted = new AtomicInteger();
        List<BackgroundTask<Boolean>> callers = new ArrayList<>();
        for (List<LockName> wanted : sets) {
            BlockingLocks locks = newLocks();
            callers.add(BackgroundTask.run(() -> acquireAndIncrement(locks, wanted, witnesses, granted)));
        }
        Eventually.areDone(callers, granted::get);

        for (BackgroundTask<Boolean> caller : callers) {
            assertThat(caller.result()).isTrue();
        }
        for (LockName name : names) {
            int users = (int) sets.stream().filter(set -> set.contains(name)).count();
            witnesses.apply(name).assertVisits(3 * users);
        }
    }

    /**
     * ML-5. The loss of one lock of a set is reported, the set no longer counts as held, the other locks do, and a
     * release ends all that remain.
     */
    @Test
    @ContractRule("ML-5")
    default void lossOfOneLockOfASetIsReported() throws Exception {
        List<LockName> names = freshNames(3);
        BlockingLocks operator = newLocks();
        BlockingLockSet set =
                newLocks().tryAcquireAll(set(names, Duration.ZERO)).orElseThrow();
        List<LockName> reported = new CopyOnWriteArrayList<>();
        set.onLost((lease, reason) -> reported.add(lease.name()));
        operator.forceRelease(operator.inspect(names.get(1)).orElseThrow());

        assertThat(set.get(names.get(1)).renew()).isFalse();

        Eventually.isTrue("the loss is reported", () -> !reported.isEmpty());
        assertThat(set.get(names.get(1)).loss()).contains(LossReason.FORCED);
        assertThat(set.isHeld()).isFalse();
        assertThat(set.get(names.get(0)).isHeld()).isTrue();
        assertThat(operator.tryAcquire(names.get(2), ttl())).isEmpty();
        assertThat(set.release()).isFalse();
        assertThat(acquiresEach(names)).isTrue();
        assertThat(reported).containsExactly(names.get(1));
    }

    private boolean acquireAndIncrement(
            BlockingLocks locks,
            List<LockName> wanted,
            Function<LockName, RacyCounter> witnesses,
            AtomicInteger granted)
            throws InterruptedException {
        for (int grant = 0; grant < 3; grant++) {
            Optional<BlockingLockSet> set = locks.tryAcquireAll(set(wanted, ttl().multipliedBy(20)));
            granted.incrementAndGet();
            for (BlockingLock lock : set.orElseThrow().all()) {
                witnesses.apply(lock.lease().name()).increment(lock.fencingToken());
            }
            assertThat(set.orElseThrow().release()).isTrue();
        }
        return true;
    }

    /** ML-6. After waiting longer than a lease for the last lock of a set, all locks are held, with full leases. */
    @Test
    @ContractRule("ML-6")
    default void allLeasesOfASetAreFreshHoweverLongItWasWaitedFor() throws Exception {
        List<LockName> names = freshNames(3);
        BlockingLocks operator = newLocks();
        BlockingLock held = keepAlive(newLocks(), names.get(2));
        BackgroundTask<Optional<BlockingLockSet>> waiter = waiterFor(newLocks(), names, names.get(2));

        for (int renewal = 0; renewal < 3; renewal++) {
            long before = revisionOf(operator, names.get(0));
            elapseUntilRenewed(held);
            Eventually.isTrue(
                    "the first is kept alive", () -> grantsInOneStep() || revisionOf(operator, names.get(0)) > before);
        }
        held.release();

        Duration fresh = ttl().minus(skewMargin()).multipliedBy(2).dividedBy(3).minus(ttl().dividedBy(20));
        assertThat(waiter.result().orElseThrow().all())
                .hasSize(3)
                .allSatisfy(lock -> assertThat(lock.remaining()).isGreaterThan(fresh));
    }

    /** ML-7. An interrupted (or cancelled) waiter for a set leaves nothing behind. */
    @Test
    @ContractRule("ML-7")
    default void interruptedWaiterForASetHoldsNothing() throws Exception {
        List<LockName> names = freshNames(3);
        BlockingLock held = acquire(newLocks(), names.get(2));
        BackgroundTask<Optional<BlockingLockSet>> waiter = waiterFor(newLocks(), names, names.get(2));

        waiter.interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(waiter::result);
        Eventually.isTrue("the others are released", () -> acquiresEach(names.subList(0, 2)));
        assertThat(held.release()).isTrue();
        assertThat(acquiresEach(names)).isTrue();
    }

    /** ML-8. A permanent fault in the middle of a set is reported as an error, and all its locks are released. */
    @Test
    @ContractRule("ML-8")
    default void faultWithinASetReleasesItsLocks() throws Exception {
        List<LockName> names = freshNames(3);
        BlockingLock held = acquire(newLocks(), names.get(1));
        try (FaultyLocks faulty = newFaulty(true)) {
            CountDownLatch asked = faulty.nextSent(ALL);
            BlockingLocks waiting = faulty.locks();
            BackgroundTask<Optional<BlockingLockSet>> waiter =
                    BackgroundTask.run(() -> waiting.tryAcquireAll(set(names, ttl().multipliedBy(20))));
            waiter.runUntil(asked);
            BlockingLocks operator = newLocks();
            Eventually.isTrue("the first is held", () -> grantsInOneStep() || isHeld(operator, names.get(0)));
            Eventually.isTrue(
                    "it waits for the second",
                    () -> !hasWaitingLists()
                            || operator.inspect(names.get(1)).orElseThrow().waiters() == 1);

            faulty.refuse(1, 13, WRITES);
            held.release();

            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(waiter::result)
                    .withMessageContaining(names.get(0).value())
                    .withMessageContaining(strategy().name());
            assertThat(acquiresEach(names)).isTrue();
        }
    }

    /** ML-9. A strategy that claims to grant several locks in one step holds none of them while it waits for one. */
    @Test
    @ContractRule("ML-9")
    default void setGrantedInOneStepHoldsNothingWhileItWaits() throws Exception {
        assumeTrue(grantsInOneStep(), () -> strategy().name() + " does not claim " + Trait.MULTI_LOCK);
        List<LockName> names = freshNames(3);
        BlockingLock held = acquire(newLocks(), names.get(2));

        BackgroundTask<Optional<BlockingLockSet>> waiter = waiterFor(newLocks(), names, names.get(2));

        assertThat(acquiresEach(names.subList(0, 2))).isTrue();
        assertThat(held.release()).isTrue();
        assertThat(waiter.result()).isPresent();
    }

    /** Starts a waiter, and returns once it has found one of the locks contended at least once. */
    private BackgroundTask<Optional<BlockingLockSet>> waiterFor(
            BlockingLocks locks, List<LockName> names, LockName held) throws InterruptedException {
        CountDownLatch asked = nextAnswered(held, COMMANDS_OF_A_QUESTION);
        MultiLockRequest request = set(names, ttl().multipliedBy(20));
        BackgroundTask<Optional<BlockingLockSet>> waiter = BackgroundTask.run(() -> locks.tryAcquireAll(request));
        waiter.runUntil(asked);
        return waiter;
    }

    private static boolean isHeld(BlockingLocks locks, LockName name) throws InterruptedException {
        return locks.inspect(name).map(seen -> seen.holder().isPresent()).orElse(false);
    }
}
