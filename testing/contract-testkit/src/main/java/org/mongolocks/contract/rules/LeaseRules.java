package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.server.BackgroundTask.Eventually;

/**
 * Rules LS, leases: a lock is granted for a bounded time, which holder and server each measure with their own clock.
 * Rules RN, renewal: a renewal, by the user or by the client, extends a live lease of its own holder and no other.
 */
public interface LeaseRules extends ContractContext {
    /** LS-1. If its holder stops, a lease ends by itself, without a clean-up by the server. */
    @Test
    @ContractRule("LS-1")
    default void anExpiredLeaseFreesTheLock() throws Exception {
        LockName name = freshName();

        acquire(newLocks(), name);

        assertThat(takeOver(newLocks(), name).isHeld()).isTrue();
    }

    /** LS-2. While a lease lasts, here to its half, the lock is contended. */
    @Test
    @ContractRule("LS-2")
    default void aLeaseIsLiveUntilItsEnd() throws Exception {
        LockName name = freshName();
        BlockingLocks others = newLocks();
        long granted = server().time().nanoTime();
        BlockingLock held = acquire(newLocks(), name);

        server().elapse(ttl().dividedBy(2));

        assertContended(others, name, granted);
        boolean isHeld = held.isHeld();
        assumeTrue(isHeld || isWithin(ttl().minus(skewMargin()), granted), TOO_SLOW);
        assertThat(isHeld).isTrue();
    }

    /**
     * LS-3. The holder counts its lease from before it sent the command, less a skew margin, so that its lease ends
     * before the server's.
     */
    @Test
    @ContractRule("LS-3")
    default void theHolderDoesNotOverestimateItsLease() throws Exception {
        LockName name = freshName();
        long before = server().time().nanoTime();

        BlockingLock held = acquire(newLocks(), name);

        long after = server().time().nanoTime();
        long usable = ttl().minus(skewMargin()).toNanos();
        assertThat(held.lease().validUntilNanos()).isBetween(before + usable, after + usable);
        assertThat(held.remaining()).isLessThanOrEqualTo(Duration.ofNanos(usable));
    }

    /** LS-4. A holder detects the end of its lease without asking the server. */
    @Test
    @ContractRule("LS-4")
    default void holderDetectsTheEndOfItsLease() throws Exception {
        BlockingLock held = acquire(newLocks(), freshName());

        server().elapse(ttl());

        assertThat(held.remaining()).isEqualTo(Duration.ZERO);
        assertThat(held.isHeld()).isFalse();
        assertThat(held.loss()).contains(LossReason.EXPIRED);
    }

    /** RN-1. A renewed lease lasts a full ttl from the renewal. */
    @Test
    @ContractRule("RN-1")
    default void aRenewedLeaseLastsLonger() throws Exception {
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);

        for (int renewal = 0; renewal < 3; renewal++) {
            server().elapse(ttl().dividedBy(2));
            assertThat(held.renew()).isTrue();
        }

        assertThat(held.isHeld()).isTrue();
        assertThat(newLocks().tryAcquire(name, ttl())).isEmpty();
    }

    /** RN-2. A late renewal by a former holder changes nothing for the new owner, and reports the loss. */
    @Test
    @ContractRule("RN-2")
    default void aLateRenewalChangesNothing() throws Exception {
        LockName name = freshName();
        BlockingLocks operator = newLocks();
        BlockingLock late = acquire(newPausedLocks(), name);
        BlockingLock next = takeOver(newLocks(), name);
        LockSnapshot before = operator.inspect(name).orElseThrow();

        assertThat(late.renew()).isFalse();

        LockSnapshot after = operator.inspect(name).orElseThrow();
        assertThat(after.holder()).contains(next.lease().owner().stored());
        assertThat(after.revision()).isEqualTo(before.revision());
        assertThat(late.isHeld()).isFalse();
        assertThat(late.loss()).contains(LossReason.TAKEN_OVER);
    }

    /** RN-3. A lease that has ended cannot be renewed, even if no other owner has acquired the lock. */
    @Test
    @ContractRule("RN-3")
    default void anEndedLeaseIsNotBroughtBack() throws Exception {
        BlockingLock held = acquire(newLocks(), freshName());
        server().elapse(ttl());

        assertThat(held.renew()).isFalse();

        assertThat(held.loss()).contains(LossReason.EXPIRED);
    }

    /** RN-4. A released lock cannot be renewed. */
    @Test
    @ContractRule("RN-4")
    default void aReleasedLockIsNotRenewed() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        BlockingLock held = acquire(locks, name);
        held.release();

        assertThat(held.renew()).isFalse();

        assertThat(locks.tryAcquire(name, ttl())).isPresent();
    }

    /**
     * RN-5. Unless its request says otherwise, a lock outlives its lease without any call of its holder, and ends with
     * its release.
     */
    @Test
    @ContractRule("RN-5")
    default void aLockThatIsKeptAliveOutlivesItsLease() throws Exception {
        LockName name = freshName();
        BlockingLocks others = newLocks();
        BlockingLock held = keepAlive(newLocks(), name);

        for (int renewal = 0; renewal < 4; renewal++) {
            elapseUntilRenewed(held);
            assertThat(others.tryAcquire(name, ttl())).isEmpty();
        }

        assertThat(held.isHeld()).isTrue();
        assertThat(held.release()).isTrue();
        assertThat(others.tryAcquire(name, ttl())).isPresent();
    }

    /** RN-6. Locks that are renewed together stay independent: the loss of one does not affect the others. */
    @Test
    @ContractRule("RN-6")
    default void lossOfOneLockDoesNotAffectOthers() throws Exception {
        BlockingLocks locks = newLocks();
        BlockingLocks operator = newLocks();
        LockName lostName = freshName();
        BlockingLock lost = keepAlive(locks, lostName);
        List<BlockingLock> kept = List.of(keepAlive(locks, freshName()), keepAlive(locks, freshName()));
        Stream.of(kept.get(0), kept.get(1), lost)
                .forEach(lock -> assertThat(lock.isHeld()).isTrue());
        operator.forceRelease(operator.inspect(lostName).orElseThrow());

        elapseUntilRenewed(kept.get(0));
        elapseUntilRenewed(kept.get(1));

        Eventually.isTrue("the loss is detected", () -> lost.loss().isPresent());
        assertThat(lost.loss()).contains(LossReason.FORCED);
        assertThat(kept).allMatch(BlockingLock::isHeld);
    }

    /**
     * RN-7. Keep-alive survives faults that end within the lease, whether the request or the reply of a renewal is
     * lost.
     *
     * @param retryWrites whether the driver retries writes
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("RN-7")
    default void aLockIsKeptAliveThroughFaults(boolean retryWrites) throws Exception {
        try (FaultyLocks faulty = newFaulty(retryWrites)) {
            BlockingLock held = keepAlive(faulty.locks(), freshName());

            faulty.closeConnection(3, ContractContext.WRITES);
            elapseUntilRenewed(held);
            faulty.failWriteConcern(2, ContractContext.WRITES);
            elapseUntilRenewed(held);
            faulty.refuse(2, 13, ContractContext.WRITES);
            elapseUntilRenewed(held);

            assertThat(held.isHeld()).isTrue();
        }
    }

    /**
     * RN-8. A renewal for a longer time than the ttl lasts that long, and no later renewal for a shorter time shortens
     * it, on the server or for the holder.
     */
    @Test
    @ContractRule("RN-8")
    default void aLongerRenewalIsNotShortened() throws Exception {
        LockName name = freshName();
        BlockingLocks others = newLocks();
        BlockingLock held = acquire(newLocks(), name);

        assertThat(held.renew(ttl().multipliedBy(3))).isTrue();
        assertThat(held.renew()).isTrue();
        assertThat(held.renew(Duration.ofMillis(ttl().toMillis() / 2))).isTrue();

        assertThat(others.inspect(name).orElseThrow().ttl()).isGreaterThan(ttl().multipliedBy(2));
        server().elapse(ttl().multipliedBy(2));
        assertThat(held.isHeld()).isTrue();
        assertThat(others.tryAcquire(name, ttl())).isEmpty();
    }

    /** RN-9. A fixed lease is not renewed, also beside others that are: it ends after one ttl. */
    @Test
    @ContractRule("RN-9")
    default void aFixedLeaseEnds() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        BlockingLock fixed = acquire(locks, name);
        BlockingLock kept = keepAlive(locks, freshName());
        long end = fixed.lease().validUntilNanos();

        elapseUntilRenewed(kept);
        elapseUntilRenewed(kept);

        assertThat(fixed.lease().validUntilNanos()).isEqualTo(end);
        assertThat(takeOver(newLocks(), name).isHeld()).isTrue();
    }
}
