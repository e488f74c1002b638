package org.mongolocks.contract.rules.lock;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockName;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.contract.rules.FeatureContext;
import org.mongolocks.contract.setup.BackgroundTask;
import org.mongolocks.contract.setup.BackgroundTask.Eventually;

/** Rules GT on faults: a guarded transaction that is hit by a fault takes effect once or not at all. */
public interface GuardedTransactionFaultRules extends FeatureContext {
    /**
     * GT-8. After a write conflict the whole transaction is retried; nothing of the aborted run remains.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("GT-8")
    default void aConflictRepeatsTheWholeTransaction() throws Exception {
        LockName name = guardedName();
        try (FaultyLocks faulty = newFaulty(true)) {
            BlockingLock held = acquire(faulty.locks(), name);
            AtomicInteger times = new AtomicInteger();

            held.inTransaction(data -> {
                int time = times.incrementAndGet();
                data.write("first of time " + time);
                if (time == 1) {
                    faulty.refuse(1, 112, List.of("insert"));
                }
                data.write("second of time " + time);
            });

            assertThat(written(name)).containsExactlyInAnyOrder("first of time 2", "second of time 2");
        }
    }

    /**
     * GT-9. If the reply to a commit is lost or its durability is uncertain, the commit is retried and takes effect
     * once.
     *
     * @param executed whether the lost commit was executed
     * @throws Exception if the rule cannot be checked
     */
    @ParameterizedTest(name = "executed={0}")
    @ValueSource(booleans = {true, false})
    @ContractRule("GT-9")
    default void ambiguousCommitIsExecutedOnce(boolean executed) throws Exception {
        LockName name = guardedName();
        try (FaultyLocks faulty = newFaulty(true)) {
            BlockingLock held = acquire(faulty.locks(), name);

            held.inTransaction(data -> {
                data.write("once");
                List<String> commit = List.of("commitTransaction");
                if (executed) {
                    faulty.failWriteConcern(2, commit);
                } else {
                    faulty.closeConnection(2, commit);
                }
            });

            assertThat(written(name)).containsExactly("once");
            assertThat(held.renew()).isTrue();
        }
    }

    /**
     * GT-10. If the caller is interrupted (or cancels) during the work, nothing is written, and the lock stays held.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("GT-10")
    default void interruptDuringTheWorkWritesNothing() throws Exception {
        LockName name = guardedName();
        BlockingLock held = acquire(newLocks(), name);
        CountDownLatch working = new CountDownLatch(1);
        BackgroundTask<Boolean> work = BackgroundTask.run(() -> {
            held.inTransaction(data -> {
                data.write("interrupted");
                working.countDown();
                new CountDownLatch(1).await();
            });
            return true;
        });
        work.runUntil(working);

        work.interrupt();

        assertThatExceptionOfType(InterruptedException.class).isThrownBy(work::result);
        Eventually.isTrue("the lock can be used", () -> isRenewed(held));
        assertThat(written(name)).isEmpty();
    }

    private static boolean isRenewed(BlockingLock held) throws InterruptedException {
        try {
            return held.renew();
        } catch (IllegalStateException e) {
            return false;
        }
    }
}
