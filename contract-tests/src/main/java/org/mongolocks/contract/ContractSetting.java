package org.mongolocks.contract;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.spi.LockStrategy;

/** Gives the rules what they work with: the strategy, the server, and clients on the driver of this run. */
public interface ContractSetting {
    /** With so many answers about a lock, whoever asks for it knows whether it is held, whatever the strategy. */
    int COMMANDS_OF_A_QUESTION = 2;

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
     * @param commandTimeout the time limit of a command
     * @return the client, with its faults
     * @throws InterruptedException if the thread was interrupted
     */
    FaultyLocks newFaultyLocks(boolean retryWrites, Duration commandTimeout) throws InterruptedException;

    /**
     * Tells when the clients of {@link #newLocks()} have answers to commands about a lock from now on.
     *
     * @param name what is locked
     * @param times how many answers
     * @return a latch that each of them counts down
     */
    CountDownLatch nextAnswered(LockName name, int times);

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
     * Counts those who stand in the queue for a lock, as the server has it.
     *
     * @param name what is locked
     * @return how many tickets there are; negative if nothing is stored for it
     */
    int tickets(LockName name);

    /**
     * Gives the length of lease that the rules use.
     *
     * @return the length
     */
    default Duration ttl() {
        return server().ttl();
    }

    /**
     * Gives how much earlier than the server's the holder's end of a lease is.
     *
     * @return the margin of all clients
     */
    default Duration skewMargin() {
        return ttl().dividedBy(10);
    }

    /**
     * Acquires a lock that nobody holds, to be kept alive.
     *
     * @param locks the client
     * @param name what to lock
     * @return the lock
     * @throws InterruptedException if the thread was interrupted
     */
    default BlockingLock keepAlive(BlockingLocks locks, LockName name) throws InterruptedException {
        return locks.acquire(new LockRequest(name, ttl(), Duration.ZERO).keepAlive())
                .orElseThrow(() -> new AssertionError("Lock '" + name + "' was not free"));
    }

    /**
     * Lets so much of a lease pass that it is to be renewed, and waits until it is.
     *
     * @param lock a lock that is kept alive
     * @throws Exception if it is not renewed
     */
    default void elapseUntilRenewed(BlockingLock lock) throws Exception {
        long before = lock.lease().validUntilNanos();
        server().elapse(ttl().dividedBy(2).minus(skewMargin()));
        Soon.isTrue("the lease is renewed", () -> lock.lease().validUntilNanos() - before > 0);
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
        CountDownLatch asked = nextAnswered(name, COMMANDS_OF_A_QUESTION);
        Background<BlockingLock> waiter =
                Background.run(() -> locks.acquire(patient(name)).orElseThrow());
        waiter.runUntil(asked);
        return waiter.resultWhile(new Passing(server())::step);
    }
}
