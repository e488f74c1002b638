package org.mongolocks.contract.rules;

import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockName;
import org.mongolocks.LockSnapshot;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.LimitedLocks;
import org.mongolocks.contract.setup.RawCollection;
import org.mongolocks.spi.LockStrategy.Trait;

/** The context of rules about operators, guarded transactions and several locks: their collections, data and requests. */
public interface FeatureContext extends ContractContext {
    /**
     * Builds a client with other settings.
     *
     * @param setup changes the common settings of the clients
     * @return the client
     * @throws InterruptedException if the thread was interrupted
     */
    BlockingLocks newLocks(Consumer<LockClientBuilder<?>> setup) throws InterruptedException;

    /**
     * Builds a client whose user has no other privileges, or skips the test where there is no access control.
     *
     * @param collection the collection of the locks
     * @param actions the actions on each collection
     * @return the client
     * @throws InterruptedException if the thread was interrupted
     */
    LimitedLocks newLimitedLocks(String collection, Map<String, List<String>> actions) throws InterruptedException;

    /**
     * Returns a collection as it is stored.
     *
     * @param collection its name
     * @return the collection
     */
    RawCollection stored(String collection);

    /**
     * Returns a name that no other collection has.
     *
     * @return the name of a collection that does not exist
     */
    default String freshCollection() {
        return "operators-" + UUID.randomUUID();
    }

    /** Creates the collection of the data, so that no transaction has to. */
    void prepareData();

    /**
     * Returns the data that was written in guarded transactions of a lock.
     *
     * @param name the name of the lock
     * @return what was written
     */
    List<String> written(LockName name);

    /**
     * Returns a latch that counts down when a client of {@link #newLocks()} next sends a command about a lock.
     *
     * @param name the name of the lock
     * @return the latch
     */
    CountDownLatch nextSent(LockName name);

    /**
     * Returns a fresh name, or skips the test on a server without transactions.
     *
     * @return the name of a lock without guarded data
     */
    default LockName guardedName() {
        assumeFalse(server().isStandalone(), "A standalone has no transactions");
        prepareData();
        return freshName();
    }

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
        return new MultiLockRequest(names, ttl(), wait, false, Optional.empty(), Optional.empty());
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
