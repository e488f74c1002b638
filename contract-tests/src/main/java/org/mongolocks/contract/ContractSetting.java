package org.mongolocks.contract;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.spi.LockStrategy;

/** Gives the rules what they work with: the strategy, the server, and clients on the driver of this run. */
public interface ContractSetting {
    /**
     * Gives the strategy whose contract is checked.
     *
     * @return the strategy
     */
    LockStrategy strategy();

    /**
     * Gives the server.
     *
     * @return the server
     */
    ContractServer server();

    /**
     * Builds a client, a party of its own.
     *
     * @return the client
     * @throws InterruptedException if the thread was interrupted
     */
    BlockingLocks newLocks() throws InterruptedException;

    /**
     * Builds a client that does not notice time passing, as a process that was paused.
     *
     * @return the client
     * @throws InterruptedException if the thread was interrupted
     */
    BlockingLocks newPausedLocks() throws InterruptedException;

    /**
     * Builds a client whose commands alone are hit by the faults that a test injects.
     *
     * @param retryWrites whether its driver retries writes
     * @return the client, with its faults
     * @throws InterruptedException if the thread was interrupted
     */
    FaultyLocks newFaultyLocks(boolean retryWrites) throws InterruptedException;

    /**
     * Tells when the clients of {@link #newLocks()} send commands about a lock from now on.
     *
     * @param name what is locked
     * @param times how many commands
     * @return a latch that each of them counts down
     */
    CountDownLatch nextSent(LockName name, int times);

    /**
     * Gives what the rules guard with locks.
     *
     * @return a document that counts visits
     */
    Witness newWitness();

    /**
     * Makes a name that no other test uses.
     *
     * @return the name
     */
    LockName freshName();

    /**
     * Has an unused lock document cleaned up, as the server does when its time has come.
     *
     * @param name what was locked
     */
    void cleanUp(LockName name);

    /**
     * Gives the length of lease that the rules use.
     *
     * @return the length
     */
    default Duration ttl() {
        return server().ttl();
    }

    /**
     * Makes a request that waits for many leases, longer than any rule needs.
     *
     * @param name what to lock
     * @return the request
     */
    default LockRequest patient(LockName name) {
        return new LockRequest(name, ttl(), ttl().multipliedBy(20));
    }

    /**
     * Acquires a lock that nobody holds.
     *
     * @param locks the client
     * @param name what to lock
     * @return the lock
     * @throws InterruptedException if the thread was interrupted
     */
    default BlockingLock acquire(BlockingLocks locks, LockName name) throws InterruptedException {
        return locks.tryAcquire(name, ttl()).orElseThrow(() -> new AssertionError("Lock '" + name + "' was not free"));
    }

    /**
     * Acquires a lock whose holder does not renew it any more, and lets as much time pass as that takes.
     *
     * @param locks the client
     * @param name what to lock
     * @return the lock
     * @throws Exception if it could not be acquired
     */
    default BlockingLock takeOver(BlockingLocks locks, LockName name) throws Exception {
        Background<BlockingLock> waiter =
                Background.run(() -> locks.acquire(patient(name)).orElseThrow());
        return waiter.resultWhile(new Passing(server())::step);
    }
}
