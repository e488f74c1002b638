package org.mongolocks.contract.rules.lease;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.rules.ContractContext;
import org.mongolocks.contract.rules.ContractContext.ContractRule;

/** Rules RL, release: a release ends the lease of its own holder and no other. */
public interface ReleaseRules extends ContractContext {
    /**
     * RL-1. A released lock can be acquired at once by any client.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("RL-1")
    default void aReleasedLockIsFree() throws Exception {
        LockName name = freshName();

        assertThat(acquire(newLocks(), name).release()).isTrue();

        assertThat(newLocks().tryAcquire(name, ttl())).isPresent();
    }

    /**
     * RL-2. A late release by a former holder changes nothing for the new owner.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("RL-2")
    default void aLateReleaseChangesNothing() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        BlockingLock late = acquire(newPausedLocks(), name);
        BlockingLock next = takeOver(newLocks(), name);
        LockSnapshot before = locks.inspect(name).orElseThrow();

        assertThat(late.release()).isFalse();

        LockSnapshot after = locks.inspect(name).orElseThrow();
        assertThat(after.holder()).contains(next.lease().owner().stored());
        assertThat(after.revision()).isEqualTo(before.revision());
        assertThat(next.renew()).isTrue();
    }

    /**
     * RL-3. A second release does nothing, even if another owner holds the lock by then.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("RL-3")
    default void theSecondReleaseDoesNothing() throws Exception {
        LockName name = freshName();
        BlockingLock first = acquire(newLocks(), name);
        first.release();
        BlockingLock second = acquire(newLocks(), name);

        assertThat(first.release()).isFalse();

        assertThat(second.renew()).isTrue();
    }

    /**
     * RL-4. A released lock shows no holder.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("RL-4")
    default void aReleasedLockShowsNoHolder() throws Exception {
        LockName name = freshName();
        BlockingLocks locks = newLocks();
        acquire(locks, name).release();

        assertThat(locks.inspect(name).flatMap(LockSnapshot::holder)).isEqualTo(Optional.empty());
    }

    /**
     * RL-5. A lock that is released before its minimum hold has passed stays held by no owner until then: its former
     * holder can neither renew nor release it, and a waiter gets it at the end of the minimum, with a larger token.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("RL-5")
    default void aReleaseKeepsTheMinimumHold() throws Exception {
        LockName name = freshName();
        BlockingLocks others = newLocks();
        Duration minimum = Duration.ofMillis(ttl().toMillis() / 2);
        long start = server().time().nanoTime();
        BlockingLock held = newLocks()
                .acquire(new LockRequest(name, ttl(), Duration.ZERO).keepAlive().holdAtLeast(minimum))
                .orElseThrow();

        assertThat(held.release()).isTrue();

        assertThat(held.isHeld()).isFalse();
        assertThat(held.renew()).isFalse();
        assertThat(held.release()).isFalse();
        assertThat(others.tryAcquire(name, ttl())).isEmpty();
        assertThat(others.inspect(name).orElseThrow().ttl()).isLessThanOrEqualTo(minimum.plusMillis(2));
        BlockingLock next = takeOver(newLocks(), name);
        assertThat(Duration.ofNanos(server().time().nanoTime() - start)).isGreaterThanOrEqualTo(minimum);
        assertThat(next.lease().fencingToken()).isGreaterThan(held.lease().fencingToken());
    }

    /**
     * RL-6. Closing a client keeps the minimum hold of its locks.
     *
     * @throws Exception if the rule cannot be checked
     */
    @Test
    @ContractRule("RL-6")
    default void closingKeepsTheMinimumHold() throws Exception {
        LockName name = freshName();
        BlockingLocks closed = newLocks();
        assertThat(closed.acquire(new LockRequest(name, ttl(), Duration.ZERO).holdAtLeast(ttl())))
                .isPresent();

        closed.close();

        assertThat(newLocks().tryAcquire(name, ttl())).isEmpty();
    }
}
