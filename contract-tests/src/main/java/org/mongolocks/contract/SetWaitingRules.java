package org.mongolocks.contract;

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
import org.mongolocks.LockSetRequest;
import org.mongolocks.spi.Trait;

/** ML: what is held while another lock of a set is waited for is kept, and given back when the waiting is broken off. */
public interface SetWaitingRules extends SetSetting {
    /**
     * ML-6. Who waits for the last lock of a set longer than a lease gets all of them, with leases that are fresh.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("ML-6")
    default void allLeasesOfASetAreFreshHoweverLongItWasWaitedFor() throws Exception {
        List<LockName> names = freshNames(3);
        BlockingLocks operator = newLocks();
        BlockingLock held = keepAlive(newLocks(), names.get(2));
        Background<Optional<BlockingLockSet>> waiter = waiterFor(newLocks(), names, names.get(2));

        for (int renewal = 0; renewal < 3; renewal++) {
            long before = revisionOf(operator, names.get(0));
            elapseUntilRenewed(held);
            Soon.isTrue(
                    "the first is kept alive", () -> grantsInOneStep() || revisionOf(operator, names.get(0)) > before);
        }
        held.release();

        Duration fresh = ttl().minus(skewMargin()).multipliedBy(2).dividedBy(3).minus(ttl().dividedBy(20));
        assertThat(waiter.result().orElseThrow().all())
                .hasSize(3)
                .allSatisfy(lock -> assertThat(lock.remaining()).isGreaterThan(fresh));
    }

    /**
     * ML-7. A waiter for a set that is interrupted (or cancelled) leaves nothing behind.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("ML-7")
    default void aWaiterForASetThatIsInterruptedLeavesNothingBehind() throws Exception {
        List<LockName> names = freshNames(3);
        BlockingLock held = acquire(newLocks(), names.get(2));
        Background<Optional<BlockingLockSet>> waiter = waiterFor(newLocks(), names, names.get(2));

        waiter.interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(waiter::result);
        Soon.isTrue("the others are given back", () -> areFree(names.subList(0, 2)));
        assertThat(held.release()).isTrue();
        assertThat(areFree(names)).isTrue();
    }

    /**
     * ML-8. A fault that does not pass, in the middle of a set, is an error, and everything is given back.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("ML-8")
    default void aFaultInTheMiddleOfASetGivesEverythingBack() throws Exception {
        List<LockName> names = freshNames(3);
        BlockingLock held = acquire(newLocks(), names.get(1));
        try (FaultyLocks faulty = newFaulty(true)) {
            CountDownLatch asked = faulty.nextSent(ALL);
            BlockingLocks waiting = faulty.locks();
            Background<Optional<BlockingLockSet>> waiter =
                    Background.run(() -> waiting.acquireAll(set(names, ttl().multipliedBy(20))));
            waiter.runUntil(asked);
            BlockingLocks operator = newLocks();
            Soon.isTrue("the first is held", () -> grantsInOneStep() || isHeld(operator, names.get(0)));

            faulty.refuse(1, 13, ALL);
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
    default void whatIsGrantedInOneStepIsNotHeldWhileOneIsWaitedFor() throws Exception {
        assumeTrue(grantsInOneStep(), () -> strategy().name() + " does not claim " + Trait.MULTI_LOCK);
        List<LockName> names = freshNames(3);
        BlockingLock held = acquire(newLocks(), names.get(2));

        Background<Optional<BlockingLockSet>> waiter = waiterFor(newLocks(), names, names.get(2));

        assertThat(areFree(names.subList(0, 2))).isTrue();
        assertThat(held.release()).isTrue();
        assertThat(waiter.result()).isPresent();
    }

    /** Asks until it has surely been told at least once that one of the locks is held. */
    private Background<Optional<BlockingLockSet>> waiterFor(BlockingLocks locks, List<LockName> names, LockName held)
            throws InterruptedException {
        CountDownLatch asked = nextAnswered(held, COMMANDS_OF_A_QUESTION);
        LockSetRequest request = set(names, ttl().multipliedBy(20));
        Background<Optional<BlockingLockSet>> waiter = Background.run(() -> locks.acquireAll(request));
        waiter.runUntil(asked);
        return waiter;
    }

    private static boolean isHeld(BlockingLocks locks, LockName name) throws InterruptedException {
        return locks.inspect(name).map(seen -> seen.holder().isPresent()).orElse(false);
    }
}
