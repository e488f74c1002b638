package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.BlockingLocks.BlockingLockSet;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;

/** Rules LL, lost locks: the holder is notified of a loss once, without a call of its own, and with a warning before it. */
public interface LossRules extends ContractContext {
    /** LL-1. The holder is notified once, with the reason, when the first call detects the loss. */
    @Test
    @ContractRule("LL-1")
    default void lossIsReportedOnce() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        BlockingLock held = acquire(locks, name);
        List<LossReason> reported = new CopyOnWriteArrayList<>();
        held.onLost((lease, reason) -> reported.add(reason));
        locks.forceRelease(locks.inspect(name).orElseThrow());

        held.renew();
        held.renew();
        held.isHeld();

        Eventually.isTrue("the loss is reported", () -> !reported.isEmpty());
        settle(held);
        assertThat(reported).containsExactly(LossReason.FORCED);
    }

    /** LL-2. A released lock is not lost: no listener is notified. */
    @Test
    @ContractRule("LL-2")
    default void aReleaseIsNoLoss() throws Exception {
        BlockingLock held = acquire(newLocks(), freshName());
        List<LossReason> reported = new CopyOnWriteArrayList<>();
        held.onLost((lease, reason) -> reported.add(reason));

        held.release();
        server().elapse(ttl());

        assertThat(held.isHeld()).isFalse();
        assertThat(held.loss()).isEmpty();
        assertThat(reported).isEmpty();
    }

    /** LL-3. If another owner holds the lock by now, the loss is reported as a takeover, not as an expiry. */
    @Test
    @ContractRule("LL-3")
    default void takeoverIsReportedAsTakeover() throws Exception {
        LockName name = freshName();
        BlockingLocks operator = newLocks();
        BlockingLock held = acquire(newLocks(), name);
        operator.forceRelease(operator.inspect(name).orElseThrow());
        acquire(newLocks(), name);

        assertThat(held.renew()).isFalse();

        assertThat(held.loss()).contains(LossReason.TAKEN_OVER);
    }

    /** More than a client has threads for listeners that do not block. */
    int MANY_LISTENERS = 100;

    /**
     * LL-4. The end of a lease is reported once, without a call of the holder, while the lock is still contended for
     * others.
     */
    @Test
    @ContractRule("LL-4")
    default void endOfALeaseIsReportedBeforeTheLockIsGrantedAgain() throws Exception {
        LockName name = freshName();
        BlockingLocks others = newLocks();
        long granted = server().time().nanoTime();
        BlockingLock held = acquire(newLocks(), name);
        List<LossReason> reported = reported(held);

        server().elapse(held.remaining());
        Eventually.isTrue("the loss is reported", () -> !reported.isEmpty());

        assertContended(others, name, granted);
        server().elapse(ttl());
        assertThat(held.isHeld()).isFalse();
        settle(held);
        assertThat(reported).containsExactly(LossReason.EXPIRED);
    }

    /** LL-5. Keep-alive detects a takeover and reports it at once, once. */
    @Test
    @ContractRule("LL-5")
    default void keepAliveReportsALoss() throws Exception {
        LockName name = freshName();
        BlockingLocks operator = newLocks();
        BlockingLock held = keepAlive(newLocks(), name);
        List<LossReason> reported = reported(held);
        operator.forceRelease(operator.inspect(name).orElseThrow());
        BlockingLock next = acquire(newLocks(), name);

        server().elapse(ttl().dividedBy(2));
        Eventually.isTrue("the loss is reported", () -> !reported.isEmpty());

        assertThat(held.renew()).isFalse();
        settle(held);
        assertThat(reported).containsExactly(LossReason.TAKEN_OVER);
        assertThat(next.isHeld()).isTrue();
    }

    /** LL-6. If no renewal gets a reply until the lease ends, the lock is lost at that time, with that reason. */
    @Test
    @ContractRule("LL-6")
    default void aLockThatCannotBeRenewedIsLostAtItsEnd() throws Exception {
        try (FaultyLocks faulty = newFaulty(true)) {
            BlockingLock held = keepAlive(faulty.locks(), freshName());
            long grantedNanos = server().time().nanoTime();
            List<LossReason> reported = reported(held);
            faulty.closeConnection(ContractContext.ALWAYS, ContractContext.ALL);

            server().elapse(ttl().dividedBy(2));
            boolean isHeld = held.isHeld();
            Duration passed = Duration.ofNanos(server().time().nanoTime() - grantedNanos);
            assertThat(isHeld || passed.compareTo(ttl().minus(skewMargin())) > 0)
                    .as("held after %s", passed)
                    .isTrue();
            Eventually.isTrueWhile(
                    "the loss is reported", () -> !reported.isEmpty(), () -> server().elapse(ttl().dividedBy(20)));

            settle(held);
            assertThat(reported).containsExactly(LossReason.RENEWAL_FAILED);
        }
    }

    /** LL-7. The expiry warning comes once before the loss, and again if a renewal has moved the end. */
    @Test
    @ContractRule("LL-7")
    default void expiryWarningIsSentForEachEnd() throws Exception {
        List<String> reported = new CopyOnWriteArrayList<>();
        BlockingLock held = acquire(newLocks(), freshName());
        held.onLost((lease, reason) -> reported.add(reason.name()));
        held.onEndangered(ttl().dividedBy(3), (lease, remaining) -> reported.add("near"));

        server().elapse(ttl().multipliedBy(2).dividedBy(3));
        Eventually.isTrue("the warning is sent", () -> reported.size() == 1);
        assertThat(held.renew()).isTrue();
        server().elapse(ttl().multipliedBy(2).dividedBy(3));
        Eventually.isTrue("the warning is sent again", () -> reported.size() == 2);
        server().elapse(ttl().dividedBy(3));
        Eventually.isTrue("the loss is reported", () -> reported.size() == 3);

        settle(held);
        assertThat(reported).containsExactly("near", "near", LossReason.EXPIRED.name());
    }

    /** LL-8. A listener that blocks or throws does not prevent other locks from being renewed and reported. */
    @Test
    @ContractRule("LL-8")
    default void aListenerThatBlocksHarmsNoOtherLock() throws Exception {
        BlockingLocks locks = newLocks();
        BlockingLocks operator = newLocks();
        CountDownLatch blocked = new CountDownLatch(1);
        CountDownLatch unblock = new CountDownLatch(1);
        List<LockName> names = List.of(freshName(), freshName(), freshName());
        BlockingLock failing = keepAlive(locks, names.get(0));
        failing.onLost((lease, reason) -> {
            throw new IllegalStateException("A listener that fails, for a test");
        });
        acquire(locks, names.get(1)).onLost((lease, reason) -> block(blocked, unblock));
        BlockingLock other = keepAlive(locks, names.get(2));
        List<LossReason> reported = reported(other);

        try {
            operator.forceRelease(operator.inspect(names.get(0)).orElseThrow());
            while (blocked.getCount() > 0) {
                elapseUntilRenewed(other);
            }
            elapseUntilRenewed(other);
            operator.forceRelease(operator.inspect(names.get(2)).orElseThrow());
            server().elapse(ttl().dividedBy(2));

            Eventually.isTrue("the loss of the other is reported", () -> !reported.isEmpty());
            // Used to the end: a handle that nobody has is released when it is collected.
            assertThat(failing.isHeld()).isFalse();
        } finally {
            unblock.countDown();
        }
    }

    /**
     * LL-9. However many listeners block, other locks are renewed and their losses reported, and an acquisition of
     * several locks that has lost one ends.
     */
    @Test
    @ContractRule("LL-9")
    default void anyNumberOfBlockedListenersHarmsNoOtherLock() throws Exception {
        BlockingLocks locks = newLocks();
        List<LockName> names = freshNames(2);
        CountDownLatch unblock = new CountDownLatch(1);
        try {
            BlockingLock other = besideManyBlocked(locks, unblock);
            if (!grantsInOneStep()) {
                requireAbort(locks, names);
            }
            requireReported(other);
        } finally {
            unblock.countDown();
        }
    }

    /**
     * LL-10. However many listeners block on an executor that runs them on the calling thread, other locks are renewed
     * and their losses reported.
     */
    @Test
    @ContractRule("LL-10")
    default void anExecutorOnTheCallingThreadHarmsNoOtherLock() throws Exception {
        CountDownLatch unblock = new CountDownLatch(1);
        try {
            requireReported(besideManyBlocked(newLocks(builder -> builder.listenerExecutor(Runnable::run)), unblock));
        } finally {
            unblock.countDown();
        }
    }

    /** Returns a lock that is renewed while the listeners of many others of the same client block. */
    private BlockingLock besideManyBlocked(BlockingLocks locks, CountDownLatch unblock) throws Exception {
        BlockingLock other = keepAlive(locks, freshName());
        CountDownLatch blocked = new CountDownLatch(MANY_LISTENERS);
        for (int i = 0; i < MANY_LISTENERS; i++) {
            acquire(locks, freshName()).onLost((lease, reason) -> block(blocked, unblock));
        }
        for (int renewal = 0; renewal < 3; renewal++) {
            elapseUntilRenewed(other);
        }
        Eventually.isTrue("all listeners block", () -> blocked.getCount() == 0);
        return other;
    }

    private void requireReported(BlockingLock lock) throws Exception {
        BlockingLocks operator = newLocks();
        elapseUntilRenewed(lock);
        List<LossReason> reported = reported(lock);
        operator.forceRelease(operator.inspect(lock.lease().name()).orElseThrow());
        server().elapse(ttl().dividedBy(2));
        Eventually.isTrue("the loss of the other is reported", () -> !reported.isEmpty());
    }

    /**
     * Waits for two locks behind another waiter of the same client, so that only the loss of the first lock ends the
     * wait.
     */
    private void requireAbort(BlockingLocks locks, List<LockName> names) throws Exception {
        BlockingLocks others = newLocks();
        BlockingLock held = keepAlive(others, names.get(1));
        CountDownLatch asked = nextAnswered(names.get(1), 1);
        BackgroundTask<Optional<BlockingLock>> head = BackgroundTask.run(() -> locks.tryAcquire(patient(names.get(1))));
        head.runUntil(asked);
        BackgroundTask<Optional<BlockingLockSet>> waiter =
                BackgroundTask.run(() -> locks.tryAcquireAll(set(names, ttl().multipliedBy(20))));
        Eventually.isTrue(
                "the first is held",
                () -> others.inspect(names.get(0)).map(LockSnapshot::isHeld).orElse(false));

        others.forceRelease(others.inspect(names.get(0)).orElseThrow());
        server().elapse(ttl().dividedBy(2));

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(waiter::result)
                .withMessageContaining("was lost");
        held.release();
        assertThat(head.result()).isPresent();
    }

    private static void block(CountDownLatch blocked, CountDownLatch unblock) {
        blocked.countDown();
        try {
            unblock.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static List<LossReason> reported(BlockingLock lock) {
        List<LossReason> reported = new CopyOnWriteArrayList<>();
        lock.onLost((lease, reason) -> reported.add(reason));
        return reported;
    }
}
