package org.mongolocks.contract.rules;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.contract.adapter.BlockingLocks;
import org.mongolocks.contract.adapter.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.setup.BackgroundTask;
import org.mongolocks.contract.setup.BackgroundTask.Eventually;
import org.mongolocks.contract.setup.ContractServer;
import org.mongolocks.contract.setup.ContractServer.LeaseElapser;
import org.mongolocks.contract.setup.RacyCounter;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;

/** The context of the rules: the strategy, the server, and clients on the driver of this run, some with faults. */
public interface ContractContext {
    /** After this many replies about a lock, a client knows whether the lock is held, with any strategy. */
    int COMMANDS_OF_A_QUESTION = 2;
    /** The commands by which a strategy can write. */
    List<String> WRITES = List.of("findAndModify", "update", "insert", "delete");
    /** All commands that a strategy can send. */
    List<String> ALL = List.of("findAndModify", "update", "insert", "delete", "find", "commitTransaction");
    /** More faults than any number of retries. */
    int ALWAYS = FaultyLocks.ALWAYS;

    /** Why a rule about the order of waiters is skipped. */
    String NO_LISTS = "the strategy keeps no lists of waiters on this server";

    /** A command timeout that is never reached, even if threads are scheduled late. */
    Duration AMPLE_LIMIT = Duration.ofSeconds(10);

    /**
     * Returns the strategy whose contract is checked.
     *
     * @return the strategy
     */
    LockStrategy strategy();

    /**
     * Returns the server.
     *
     * @return the server
     */
    ContractServer server();

    /**
     * Builds a client, an instance of its own.
     *
     * @return the client
     * @throws InterruptedException if the thread was interrupted
     */
    BlockingLocks newLocks() throws InterruptedException;

    /**
     * Builds a client with a stopped clock, like that of a paused process.
     *
     * @return the client
     * @throws InterruptedException if the thread was interrupted
     */
    BlockingLocks newPausedLocks() throws InterruptedException;

    /**
     * Builds a client with a proxy of its own, so that injected faults hit no other client.
     *
     * @param retryWrites whether its driver retries writes
     * @param commandTimeout the command timeout
     * @return the client, with its faults
     * @throws InterruptedException if the thread was interrupted
     */
    FaultyLocks newFaultyLocks(boolean retryWrites, Duration commandTimeout) throws InterruptedException;

    /**
     * Returns a latch that counts replies to commands about a lock, from the clients of {@link #newLocks()}.
     *
     * @param name the name of the lock
     * @param times how many replies
     * @return a latch that each reply counts down
     */
    CountDownLatch nextAnswered(LockName name, int times);

    /**
     * Returns the data that the rules protect with locks.
     *
     * @return a document that counts visits
     */
    RacyCounter newWitness();

    /**
     * Returns a name that no other test uses.
     *
     * @return the name
     */
    LockName freshName();

    /**
     * Cleans up an unused lock document, as the server does after its retention time.
     *
     * @param name the name of the lock
     */
    void cleanUp(LockName name);

    /**
     * Counts the waiters in the list of a lock, as stored on the server.
     *
     * @param name the name of the lock
     * @return how many there are
     */
    int waiters(LockName name);

    /**
     * Returns whether waiters are in lists, so that there is an order among them.
     *
     * @return true if the strategy keeps lists, and the server permits that
     */
    default boolean hasWaitingLists() {
        return strategy().waitingList().isPresent() && server().hasUpdatePipelines();
    }

    /**
     * Returns the ttl that the rules use.
     *
     * @return the ttl
     */
    default Duration ttl() {
        return server().ttl();
    }

    /**
     * Returns how much earlier a lease ends for its holder than for the server.
     *
     * @return the skew margin of all clients
     */
    default Duration skewMargin() {
        return ttl().dividedBy(10);
    }

    /**
     * Acquires a lock that is not held, with keep-alive.
     *
     * @param locks the client
     * @param name the name of the lock
     * @return the lock
     * @throws InterruptedException if the thread was interrupted
     */
    default BlockingLock keepAlive(BlockingLocks locks, LockName name) throws InterruptedException {
        return locks.acquire(new LockRequest(name, ttl(), Duration.ZERO).keepAlive())
                .orElseThrow(() -> new AssertionError("Lock '" + name + "' could not be acquired"));
    }

    /**
     * Lets time pass until a renewal is due, and waits until the lease is renewed.
     *
     * @param lock a lock with keep-alive
     * @throws Exception if it is not renewed
     */
    default void elapseUntilRenewed(BlockingLock lock) throws Exception {
        long before = lock.lease().validUntilNanos();
        server().elapse(ttl().dividedBy(2).minus(skewMargin()));
        Eventually.isTrue("the lease is renewed", () -> lock.lease().validUntilNanos() - before > 0);
    }

    /**
     * Returns a request that waits for many leases, longer than any rule needs.
     *
     * @param name the name of the lock
     * @return the request
     */
    default LockRequest patient(LockName name) {
        return new LockRequest(name, ttl(), ttl().multipliedBy(20));
    }

    /**
     * Acquires a lock that is not held.
     *
     * @param locks the client
     * @param name the name of the lock
     * @return the lock
     * @throws InterruptedException if the thread was interrupted
     */
    default BlockingLock acquire(BlockingLocks locks, LockName name) throws InterruptedException {
        return locks.tryAcquire(name, ttl())
                .orElseThrow(() -> new AssertionError("Lock '" + name + "' could not be acquired"));
    }

    /**
     * Takes over a lock whose holder has stopped renewing, and lets the time pass that this needs.
     *
     * @param locks the client
     * @param name the name of the lock
     * @return the lock
     * @throws Exception if it could not be acquired
     */
    default BlockingLock takeOver(BlockingLocks locks, LockName name) throws Exception {
        CountDownLatch asked = nextAnswered(name, COMMANDS_OF_A_QUESTION);
        BackgroundTask<BlockingLock> waiter =
                BackgroundTask.run(() -> locks.acquire(patient(name)).orElseThrow());
        waiter.runUntil(asked);
        return waiter.resultWhile(new LeaseElapser(server())::step);
    }

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

    /** The rule of {@code docs/contract.md} that a test checks. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface ContractRule {
        /**
         * Returns the number of the rule.
         *
         * @return for example {@code MX-1}
         */
        String value();
    }
}
