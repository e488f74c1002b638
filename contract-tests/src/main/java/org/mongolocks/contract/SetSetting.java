package org.mongolocks.contract;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.mongolocks.LockName;
import org.mongolocks.LockSetRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.spi.Trait;

/** Gives the rules about several locks what they work with. */
public interface SetSetting extends FaultSetting {
    /**
     * Makes names that no other test uses.
     *
     * @param count how many
     * @return the names, sorted
     */
    default List<LockName> freshNames(int count) {
        return set(Stream.generate(this::freshName).limit(count).toList(), Duration.ZERO)
                .names();
    }

    /**
     * Makes a request for several locks.
     *
     * @param names what to lock
     * @param wait how long to wait
     * @return the request
     */
    default LockSetRequest set(List<LockName> names, Duration wait) {
        return new LockSetRequest(names, ttl(), wait, false, Optional.empty());
    }

    /**
     * Tells whether the strategy grants several locks in one step.
     *
     * @return true if it has the trait
     */
    default boolean grantsInOneStep() {
        return strategy().traits().contains(Trait.MULTI_LOCK);
    }

    /**
     * Acquires each lock that should be free, with a client of its own, and gives it back.
     *
     * @param names the locks
     * @return whether all were free
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
     * Counts the changes of a lock.
     *
     * @param locks a client
     * @param name which lock
     * @return the revision; zero if nothing is stored
     * @throws InterruptedException if the thread was interrupted
     */
    default long revisionOf(BlockingLocks locks, LockName name) throws InterruptedException {
        return locks.inspect(name).map(LockSnapshot::revision).orElse(0L);
    }
}
