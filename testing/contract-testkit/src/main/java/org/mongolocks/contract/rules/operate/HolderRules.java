package org.mongolocks.contract.rules.operate;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.mongolocks.HolderInfo;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.contract.rules.FeatureContext;

/** Rules OP on holders: a lock shows operators who holds it. */
public interface HolderRules extends FeatureContext {
    /**
     * OP-5. A held lock shows host, process, thread and note of its holder; a released lock shows nothing of its former
     * holder.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OP-5")
    default void heldLockShowsItsHolderInfo() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        HolderInfo asking = HolderInfo.ofThisThread();

        BlockingLock held = locks.acquire(new LockRequest(name, ttl(), Duration.ZERO).note("nightly run"))
                .orElseThrow();

        HolderInfo seen = locks.inspect(name).orElseThrow().holderInfo();
        assertThat(seen).isEqualTo(asking.withNote(Optional.of("nightly run")));
        held.release();
        assertThat(locks.inspect(name).map(LockSnapshot::holderInfo).orElse(HolderInfo.none()))
                .isEqualTo(HolderInfo.none());
    }

    /**
     * OP-6. Holder information is data: it is stored and shown as given and never evaluated.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OP-6")
    default void holderInfoIsData() throws Exception {
        LockName name = freshName();
        HolderInfo info =
                new HolderInfo(Optional.of("$fence"), OptionalLong.empty(), Optional.of("$$NOW"), Optional.empty());
        BlockingLocks locks = newLocks(builder -> builder.holderInfo(() -> info));

        locks.acquire(new LockRequest(name, ttl(), Duration.ZERO).note("{$toString: '$fence'}"));

        assertThat(locks.inspect(name).orElseThrow().holderInfo())
                .isEqualTo(info.withNote(Optional.of("{$toString: '$fence'}")));
    }

    /**
     * OP-7. If the next holder gives no information, nothing of the previous holder is shown.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("OP-7")
    default void holderInfoOfAnEarlierHolderIsNotShown() throws Exception {
        LockName name = freshName();
        BlockingLocks silent = newLocks(builder -> builder.holderInfo(HolderInfo::none));
        acquire(newLocks(), name);

        takeOver(silent, name);

        assertThat(silent.inspect(name).orElseThrow().holderInfo()).isEqualTo(HolderInfo.none());
    }
}
