package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;
import org.mongolocks.contract.adapter.BlockingLock;
import org.mongolocks.contract.adapter.BlockingLocks;

/** Rules RN, renewal: a renewal extends a live lease of its own holder and no other. */
public interface RenewalRules extends ContractContext {
    /**
     * RN-1. A renewed lease lasts a full ttl from the renewal.
     *
     * @throws Exception if the rule cannot be checked
     */
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

    /**
     * RN-2. A late renewal by a former holder changes nothing for the new owner, and reports the loss.
     *
     * @throws Exception if the rule cannot be checked
     */
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

    /**
     * RN-3. A lease that has ended cannot be renewed, even if no other owner has acquired the lock.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("RN-3")
    default void anEndedLeaseIsNotBroughtBack() throws Exception {
        BlockingLock held = acquire(newLocks(), freshName());
        server().elapse(ttl());

        assertThat(held.renew()).isFalse();

        assertThat(held.loss()).contains(LossReason.EXPIRED);
    }

    /**
     * RN-4. A released lock cannot be renewed.
     *
     * @throws Exception if the rule cannot be checked
     */
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
}
