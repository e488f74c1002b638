package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockName;
import org.mongolocks.LossReason;
import org.mongolocks.contract.adapter.BlockingLock;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.setup.Eventually;

/** Rules RN on keep-alive: a renewal by the client itself follows the same rules. */
public interface KeepAliveRules extends FaultContext {
    /**
     * RN-5. A lock with keep-alive outlives its first lease without any call of its holder, and ends with its release.
     *
     * @throws Exception if the rule cannot be checked
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

    /**
     * RN-6. Locks that are renewed together stay independent: the loss of one does not affect the others.
     *
     * @throws Exception if the rule cannot be checked
     */
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

        Eventually.isTrue("the loss is detected", () -> lost.loss().equals(Optional.of(LossReason.FORCED)));
        assertThat(kept).allMatch(BlockingLock::isHeld);
    }

    /**
     * RN-7. Keep-alive survives faults that end within the lease, whether the request or the reply of a renewal is
     * lost.
     *
     * @param retryWrites whether the driver retries writes
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest(name = "retryWrites={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("RN-7")
    default void aLockIsKeptAliveThroughFaults(boolean retryWrites) throws Exception {
        try (FaultyLocks faulty = newFaulty(retryWrites)) {
            BlockingLock held = keepAlive(faulty.locks(), freshName());

            faulty.closeConnection(3, FaultContext.WRITES);
            elapseUntilRenewed(held);
            faulty.failWriteConcern(2, FaultContext.WRITES);
            elapseUntilRenewed(held);
            faulty.refuse(2, 13, FaultContext.WRITES);
            elapseUntilRenewed(held);

            assertThat(held.isHeld()).isTrue();
        }
    }
}
