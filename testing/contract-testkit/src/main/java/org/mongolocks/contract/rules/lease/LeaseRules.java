package org.mongolocks.contract.rules.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LossReason;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.rules.ContractContext;
import org.mongolocks.contract.rules.ContractContext.ContractRule;

/**
 * Rules LS, leases: a lock is granted for a bounded time, which holder and server each measure with their own clock.
 */
public interface LeaseRules extends ContractContext {
    /**
     * LS-1. If its holder stops, a lease ends by itself, without a clean-up by the server.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("LS-1")
    default void anExpiredLeaseFreesTheLock() throws Exception {
        LockName name = freshName();

        acquire(newLocks(), name);

        assertThat(takeOver(newLocks(), name).isHeld()).isTrue();
    }

    /**
     * LS-2. Shortly before the end of the lease the lock is still contended.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("LS-2")
    default void aLeaseIsLiveUntilItsEnd() throws Exception {
        LockName name = freshName();
        BlockingLock held = acquire(newLocks(), name);

        server().elapse(ttl().dividedBy(2));

        assertThat(newLocks().tryAcquire(name, ttl())).isEmpty();
        assertThat(held.isHeld()).isTrue();
    }

    /**
     * LS-3. The holder counts its lease from before it sent the command, less a skew margin, so that its lease ends
     * before the server's.
     *
     * @throws Exception if the rule cannot be checked
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

    /**
     * LS-4. A holder detects the end of its lease without asking the server.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("LS-4")
    default void holderDetectsTheEndOfItsLease() throws Exception {
        BlockingLock held = acquire(newLocks(), freshName());

        server().elapse(ttl());

        assertThat(held.remaining()).isEqualTo(Duration.ZERO);
        assertThat(held.isHeld()).isFalse();
        assertThat(held.loss()).contains(LossReason.EXPIRED);
    }
}
