package org.mongolocks.contract;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.mongolocks.spi.Trait;

/** Gives the rules a client whose commands fail, and a way to wait for listeners. */
public interface FaultSetting extends ContractSetting {
    /** The commands by which a strategy can write. */
    List<String> WRITES = List.of("findAndModify", "update", "insert", "delete");
    /** The commands by which a strategy can do anything. */
    List<String> ALL = List.of("findAndModify", "update", "insert", "delete", "find", "commitTransaction");
    /** More than any retry can use up. */
    int ALWAYS = 100_000;

    /** A time limit of a command that no command reaches, also where threads get to a processor late. */
    Duration AMPLE_LIMIT = Duration.ofSeconds(10);

    /**
     * Builds a client whose commands alone are hit by faults, on their way to the server. No rule may have it wait for a
     * reply that does not come; see {@link #newHurried}.
     *
     * @param retryWrites whether its driver retries writes
     * @return the client, with its faults
     * @throws InterruptedException if the thread was interrupted
     */
    default FaultyLocks newFaulty(boolean retryWrites) throws InterruptedException {
        return newFaultyLocks(retryWrites, AMPLE_LIMIT);
    }

    /**
     * Builds such a client for rules in which a command runs into its time limit, which is short.
     *
     * @param retryWrites whether its driver retries writes
     * @return the client, with its faults
     * @throws InterruptedException if the thread was interrupted
     */
    default FaultyLocks newHurried(boolean retryWrites) throws InterruptedException {
        return newFaultyLocks(retryWrites, server().patience());
    }

    /**
     * Names the commands by which the strategy grants.
     *
     * @return the commands
     */
    default List<String> granting() {
        return strategy().traits().contains(Trait.NEEDS_TRANSACTIONS) ? List.of("commitTransaction") : WRITES;
    }

    /**
     * Waits until the listeners of a lost lock have been told all that there was: they are told in order.
     *
     * @param lock the lock
     * @throws InterruptedException if the thread was interrupted
     */
    default void settle(BlockingLock lock) throws InterruptedException {
        CountDownLatch told = new CountDownLatch(1);
        lock.onLost((lease, reason) -> told.countDown());
        if (!told.await(10, TimeUnit.SECONDS)) {
            throw new AssertionError("A listener was not told of the loss");
        }
    }
}
