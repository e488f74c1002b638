package org.mongolocks.contract.rules.wait;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLockSet;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.contract.rules.FeatureContext;
import org.mongolocks.contract.setup.BackgroundTask;
import org.mongolocks.contract.setup.BackgroundTask.Eventually;
import org.mongolocks.spi.LockStrategy.Trait;

/**
 * Rules ML on waiting: locks that are held while waiting for another are kept, and released when waiting ends without
 * it.
 */
public interface MultiLockWaitRules extends FeatureContext {
    /**
     * ML-6. After waiting longer than a lease for the last lock of a set, all locks are held, with full leases.
     *
     * @throws Exception if the rule cannot be checked
     */
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

    /**
     * ML-7. An interrupted (or cancelled) waiter for a set leaves nothing behind.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("ML-7")
    default void interruptedWaiterForASetHoldsNothing() throws Exception {
        List<LockName> names = freshNames(3);
        BlockingLock held = acquire(newLocks(), names.get(2));
        BackgroundTask<Optional<BlockingLockSet>> waiter = waiterFor(newLocks(), names, names.get(2));

        waiter.interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(waiter::result);
        Eventually.isTrue("the others are released", () -> areFree(names.subList(0, 2)));
        assertThat(held.release()).isTrue();
        assertThat(areFree(names)).isTrue();
    }

    /**
     * ML-8. A permanent fault in the middle of a set is reported as an error, and all its locks are released.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("ML-8")
    default void faultWithinASetReleasesItsLocks() throws Exception {
        List<LockName> names = freshNames(3);
        BlockingLock held = acquire(newLocks(), names.get(1));
        try (FaultyLocks faulty = newFaulty(true)) {
            CountDownLatch asked = faulty.nextSent(ALL);
            BlockingLocks waiting = faulty.locks();
            BackgroundTask<Optional<BlockingLockSet>> waiter =
                    BackgroundTask.run(() -> waiting.acquireAll(set(names, ttl().multipliedBy(20))));
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
            assertThat(areFree(names)).isTrue();
        }
    }

    /**
     * ML-9. A strategy that claims to grant several locks in one step holds none of them while it waits for one.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("ML-9")
    default void setGrantedInOneStepHoldsNothingWhileItWaits() throws Exception {
        assumeTrue(grantsInOneStep(), () -> strategy().name() + " does not claim " + Trait.MULTI_LOCK);
        List<LockName> names = freshNames(3);
        BlockingLock held = acquire(newLocks(), names.get(2));

        BackgroundTask<Optional<BlockingLockSet>> waiter = waiterFor(newLocks(), names, names.get(2));

        assertThat(areFree(names.subList(0, 2))).isTrue();
        assertThat(held.release()).isTrue();
        assertThat(waiter.result()).isPresent();
    }

    /** Starts a waiter, and returns once it has found one of the locks contended at least once. */
    private BackgroundTask<Optional<BlockingLockSet>> waiterFor(
            BlockingLocks locks, List<LockName> names, LockName held) throws InterruptedException {
        CountDownLatch asked = nextAnswered(held, COMMANDS_OF_A_QUESTION);
        MultiLockRequest request = set(names, ttl().multipliedBy(20));
        BackgroundTask<Optional<BlockingLockSet>> waiter = BackgroundTask.run(() -> locks.acquireAll(request));
        waiter.runUntil(asked);
        return waiter;
    }

    private static boolean isHeld(BlockingLocks locks, LockName name) throws InterruptedException {
        return locks.inspect(name).map(seen -> seen.holder().isPresent()).orElse(false);
    }
}
