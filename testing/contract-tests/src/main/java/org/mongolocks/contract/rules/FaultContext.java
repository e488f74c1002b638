package org.mongolocks.contract.rules;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.mongolocks.contract.adapter.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.spi.LockStrategy.Trait;

/** The context of rules about faults: clients whose commands fail, and a way to wait for listeners. */
public interface FaultContext extends ContractContext {
    /** The commands by which a strategy can write. */
    List<String> WRITES = List.of("findAndModify", "update", "insert", "delete");
    /** All commands that a strategy can send. */
    List<String> ALL = List.of("findAndModify", "update", "insert", "delete", "find", "commitTransaction");
    /** More faults than any number of retries. */
    int ALWAYS = 100_000;

    /** A command timeout that is never reached, even if threads are scheduled late. */
    Duration AMPLE_LIMIT = Duration.ofSeconds(10);

    /**
     * Builds a client with a proxy of its own, so that injected faults hit no other client. A rule in which a reply is
     * missing uses {@link #newHurried} instead.
     *
     * @param retryWrites whether its driver retries writes
     * @return the client, with its faults
     * @throws InterruptedException if the thread was interrupted
     */
    default FaultyLocks newFaulty(boolean retryWrites) throws InterruptedException {
        return newFaultyLocks(retryWrites, AMPLE_LIMIT);
    }

    /**
     * Builds such a client with a short command timeout, for rules in which a reply is missing.
     *
     * @param retryWrites whether its driver retries writes
     * @return the client, with its faults
     * @throws InterruptedException if the thread was interrupted
     */
    default FaultyLocks newHurried(boolean retryWrites) throws InterruptedException {
        return newFaultyLocks(retryWrites, server().timeout());
    }

    /**
     * Returns the commands by which the strategy grants a lock.
     *
     * @return the commands
     */
    default List<String> granting() {
        return strategy().traits().contains(Trait.NEEDS_TRANSACTIONS) ? List.of("commitTransaction") : WRITES;
    }

    /**
     * Waits until all listeners of a lost lock have been notified, which happens in order.
     *
     * @param lock the lock
     * @throws InterruptedException if the thread was interrupted
     */
    default void settle(BlockingLock lock) throws InterruptedException {
        CountDownLatch reported = new CountDownLatch(1);
        lock.onLost((lease, reason) -> reported.countDown());
        if (!reported.await(10, TimeUnit.SECONDS)) {
            throw new AssertionError("A listener was not notified of the loss");
        }
    }
}
