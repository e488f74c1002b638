package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LossReason;
import org.mongolocks.contract.adapter.BlockingLock;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.setup.Eventually;

/** Rules LL on notification: a loss is reported without a call of the holder, with a warning before it. */
public interface LossNotificationRules extends FaultContext {
    /**
     * LL-4. The end of a lease is reported once, without a call of the holder, while the lock is still contended for
     * others.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("LL-4")
    default void theEndOfALeaseIsToldBeforeAnotherCanHaveTheLock() throws Exception {
        LockName name = freshName();
        BlockingLocks others = newLocks();
        BlockingLock held = acquire(newLocks(), name);
        List<LossReason> told = told(held);

        server().elapse(held.remaining());
        Eventually.isTrue("the loss is reported", () -> !told.isEmpty());

        assertThat(others.tryAcquire(name, ttl())).isEmpty();
        server().elapse(ttl());
        assertThat(held.isHeld()).isFalse();
        settle(held);
        assertThat(told).containsExactly(LossReason.EXPIRED);
    }

    /**
     * LL-5. Keep-alive detects a takeover and reports it at once, once.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("LL-5")
    default void keepAliveTellsALoss() throws Exception {
        LockName name = freshName();
        BlockingLocks operator = newLocks();
        BlockingLock held = keepAlive(newLocks(), name);
        List<LossReason> told = told(held);
        operator.forceRelease(operator.inspect(name).orElseThrow());
        BlockingLock next = acquire(newLocks(), name);

        server().elapse(ttl().dividedBy(2));
        Eventually.isTrue("the loss is reported", () -> !told.isEmpty());

        assertThat(held.renew()).isFalse();
        settle(held);
        assertThat(told).containsExactly(LossReason.TAKEN_OVER);
        assertThat(next.isHeld()).isTrue();
    }

    /**
     * LL-6. If no renewal gets a reply until the lease ends, the lock is lost at that time, with that reason.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("LL-6")
    default void aLockThatCannotBeRenewedIsLostAtItsEnd() throws Exception {
        try (FaultyLocks faulty = newFaulty(true)) {
            BlockingLock held = keepAlive(faulty.locks(), freshName());
            List<LossReason> told = told(held);
            faulty.closeConnection(FaultContext.ALWAYS, FaultContext.ALL);

            server().elapse(ttl().dividedBy(2));
            assertThat(held.isHeld()).isTrue();
            Eventually.isTrueWhile(
                    "the loss is reported", () -> !told.isEmpty(), () -> server().elapse(ttl().dividedBy(100)));

            settle(held);
            assertThat(told).containsExactly(LossReason.RENEWAL_FAILED);
        }
    }

    /**
     * LL-7. The expiry warning comes once before the loss, and again if a renewal has moved the end.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("LL-7")
    default void theApproachOfTheEndIsToldEachTime() throws Exception {
        List<String> told = new CopyOnWriteArrayList<>();
        BlockingLock held = acquire(newLocks(), freshName());
        held.onLost((lease, reason) -> told.add(reason.name()));
        held.onEndangered(ttl().dividedBy(3), (lease, remaining) -> told.add("near"));

        server().elapse(ttl().multipliedBy(2).dividedBy(3));
        Eventually.isTrue("the warning is sent", () -> told.size() == 1);
        assertThat(held.renew()).isTrue();
        server().elapse(ttl().multipliedBy(2).dividedBy(3));
        Eventually.isTrue("the warning is sent again", () -> told.size() == 2);
        server().elapse(ttl().dividedBy(3));
        Eventually.isTrue("the loss is reported", () -> told.size() == 3);

        settle(held);
        assertThat(told).containsExactly("near", "near", LossReason.EXPIRED.name());
    }

    /**
     * LL-8. A listener that blocks and a listener that throws do not prevent other locks from being renewed and
     * reported.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("LL-8")
    default void aListenerThatBlocksHarmsNoOtherLock() throws Exception {
        BlockingLocks locks = newLocks();
        BlockingLocks operator = newLocks();
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        List<LockName> names = List.of(freshName(), freshName(), freshName());
        keepAlive(locks, names.get(0)).onLost((lease, reason) -> {
            throw new IllegalStateException("A listener that fails, for a test");
        });
        acquire(locks, names.get(1)).onLost((lease, reason) -> block(blocked, goOn));
        BlockingLock other = keepAlive(locks, names.get(2));
        List<LossReason> told = told(other);

        try {
            operator.forceRelease(operator.inspect(names.get(0)).orElseThrow());
            while (blocked.getCount() > 0) {
                elapseUntilRenewed(other);
            }
            elapseUntilRenewed(other);
            operator.forceRelease(operator.inspect(names.get(2)).orElseThrow());
            server().elapse(ttl().dividedBy(2));

            Eventually.isTrue("the loss of the other is reported", () -> !told.isEmpty());
        } finally {
            goOn.countDown();
        }
    }

    private static void block(CountDownLatch blocked, CountDownLatch goOn) {
        blocked.countDown();
        try {
            goOn.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<LossReason> told(BlockingLock lock) {
        List<LossReason> told = new CopyOnWriteArrayList<>();
        lock.onLost((lease, reason) -> told.add(reason));
        return told;
    }
}
