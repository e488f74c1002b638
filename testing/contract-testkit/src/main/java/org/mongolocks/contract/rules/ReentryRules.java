package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LossReason;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.rules.ContractContext.ContractRule;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;

/** Rules RE, reentrancy: an owner can acquire a lock again that it holds, and its last release ends the lease. */
public interface ReentryRules extends ContractContext {
    /** RE-1. If the owner already holds the lock, it gets the same grant without a command to the server. */
    @Test
    @ContractRule("RE-1")
    default void theSameOwnerEntersAgainWithoutAQuestion() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        BlockingLock outer = enter(locks, List.of("order", 1), name);
        CountDownLatch asked = nextAnswered(name, 1);

        BlockingLock inner = enter(locks, List.of("order", 1), name);

        assertThat(asked.getCount()).as("commands that were not sent").isEqualTo(1);
        assertThat(inner.fencingToken()).isEqualTo(outer.fencingToken());
        assertThat(inner.lease()).isEqualTo(outer.lease());
    }

    /** RE-2. The lock is contended for another owner of the same client, and for a call without an owner. */
    @Test
    @ContractRule("RE-2")
    default void anotherOwnerIsContended() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        enter(locks, "order-1", name);

        assertThat(locks.enter("order-2", once(name))).isEmpty();
        assertThat(locks.tryAcquire(once(name))).isEmpty();
        assertThat(newLocks().enter("order-1", once(name))).isEmpty();
    }

    /** RE-3. Each acquisition needs its own release, and the last release ends the lease. */
    @Test
    @ContractRule("RE-3")
    default void lastReleaseEndsTheLease() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        BlockingLock first = enter(locks, "order-1", name);
        BlockingLock second = enter(locks, "order-1", name);

        assertThat(first.release()).isTrue();
        assertThat(first.release()).isFalse();
        assertThat(first.isHeld()).isFalse();
        assertThat(second.isHeld()).isTrue();
        assertThat(newLocks().tryAcquire(once(name))).isEmpty();

        assertThat(second.release()).isTrue();
        assertThat(newLocks().tryAcquire(once(name))).isPresent();
    }

    /** RE-4. A loss ends all handles of the owner: each reports it, and the next acquisition is a new grant. */
    @Test
    @ContractRule("RE-4")
    default void aLossEndsAllEntries() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        BlockingLock outer = enter(locks, "order-1", name);
        BlockingLock inner = enter(locks, "order-1", name);
        locks.forceRelease(locks.inspect(name).orElseThrow());
        assertThat(inner.renew()).isFalse();

        BlockingLock next = enter(locks, "order-1", name);

        assertThat(outer.loss()).contains(LossReason.FORCED);
        assertThat(next.fencingToken()).isGreaterThan(outer.fencingToken());
        assertThat(inner.release()).isFalse();
        assertThat(outer.release()).isFalse();
        assertThat(next.isHeld()).isTrue();
        assertThat(newLocks().tryAcquire(once(name))).isEmpty();
    }

    /** RE-5. A second acquisition by the same owner, while the first is in flight, waits for its outcome. */
    @Test
    @ContractRule("RE-5")
    default void twoQuestionsOfOneOwnerAreOne() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        BlockingLock held = acquire(newLocks(), name);
        CountDownLatch asked = nextAnswered(name, COMMANDS_OF_A_QUESTION);
        BackgroundTask<Optional<BlockingLock>> first = BackgroundTask.run(() -> locks.enter("order-1", patient(name)));
        first.runUntil(asked);
        BackgroundTask<Optional<BlockingLock>> second = BackgroundTask.run(() -> locks.enter("order-1", patient(name)));

        assertThat(held.release()).isTrue();

        Eventually.isTrue("both acquisitions have returned", () -> first.isDone() && second.isDone());
        assertThat(second.result().orElseThrow().fencingToken())
                .isEqualTo(first.result().orElseThrow().fencingToken());
        assertThat(first.result().orElseThrow().release()).isTrue();
        assertThat(second.result().orElseThrow().isHeld()).isTrue();
    }

    private LockRequest once(LockName name) {
        return patient(name).waitAtMost(Duration.ZERO);
    }

    private BlockingLock enter(BlockingLocks locks, Object owner, LockName name) throws InterruptedException {
        return locks.enter(owner, once(name))
                .orElseThrow(() -> new AssertionError("Lock '" + name + "' could not be acquired"));
    }
}
