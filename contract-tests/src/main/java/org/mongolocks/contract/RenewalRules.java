package org.mongolocks.contract;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.LossReason;

/** RN: a renewal makes a lease longer, for its holder and nobody else. */
public interface RenewalRules extends ContractSetting {
    /**
     * RN-1. A renewed lease lasts a whole ttl from then on: the lock outlives its first lease.
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
     * RN-2. A holder who was paused does not know that its lease has ended. Its late renewal changes nothing for the
     * one who has taken over, and tells the late holder.
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
     * RN-3. A lease that has ended is not brought back, even if nobody has taken the lock meanwhile: the holder has
     * stopped.
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
     * RN-4. A lock that was given back cannot be renewed: a renewal that comes late must not take it again.
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
