package org.mongolocks.contract.rules;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.contract.adapter.BlockingLock;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.spi.LockStrategy.Trait;

/** The context of rules about several locks. */
public interface MultiLockContext extends FaultContext {
    /**
     * Returns names that no other test uses.
     *
     * @param count how many
     * @return the names, sorted
     */
    default List<LockName> freshNames(int count) {
        return set(Stream.generate(this::freshName).limit(count).toList(), Duration.ZERO)
                .names();
    }

    /**
     * Returns a request for several locks.
     *
     * @param names the names of the locks
     * @param wait how long to wait
     * @return the request
     */
    default MultiLockRequest set(List<LockName> names, Duration wait) {
        return new MultiLockRequest(names, ttl(), wait, false, Optional.empty());
    }

    /**
     * Returns whether the strategy grants several locks in one step.
     *
     * @return true if it has the trait
     */
    default boolean grantsInOneStep() {
        return strategy().traits().contains(Trait.MULTI_LOCK);
    }

    /**
     * Acquires each of the locks with a client of its own, and releases it.
     *
     * @param names the names of the locks
     * @return whether none of them was held
     * @throws InterruptedException if the thread was interrupted
     */
    default boolean areFree(List<LockName> names) throws InterruptedException {
        BlockingLocks others = newLocks();
        boolean free = true;
        for (LockName name : names) {
            free &= others.tryAcquire(name, ttl()).map(BlockingLock::release).orElse(false);
        }
        return free;
    }

    /**
     * Returns the revision of a lock, which counts its changes.
     *
     * @param locks a client
     * @param name the name of the lock
     * @return the revision; zero if nothing is stored
     * @throws InterruptedException if the thread was interrupted
     */
    default long revisionOf(BlockingLocks locks, LockName name) throws InterruptedException {
        return locks.inspect(name).map(LockSnapshot::revision).orElse(0L);
    }
}
