package org.mongolocks.contract.rules.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LossReason;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.rules.ContractContext;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.contract.setup.BackgroundTask.Eventually;

/** Rules LL, lost locks: the holder is notified of a loss, once. */
public interface LockLossRules extends ContractContext {
    /**
     * LL-1. The holder is notified once, with the reason, when the first call detects the loss.
     *
     * @throws Exception if the rule cannot be checked
     */
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

    /**
     * LL-2. A released lock is not lost: no listener is notified.
     *
     * @throws Exception if the rule cannot be checked
     */
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

    /**
     * LL-3. If another owner holds the lock by now, the loss is reported as a takeover, not as an expiry.
     *
     * @throws Exception if the rule cannot be checked
     */
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
}
