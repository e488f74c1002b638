package org.mongolocks.contract.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockException;
import org.mongolocks.LockName;
import org.mongolocks.LockRequest;
import org.mongolocks.LockSnapshot;
import org.mongolocks.MultiLockRequest;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.adapter.LimitedLocks;
import org.mongolocks.internal.settings.ClientOptions;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.BackgroundTask.Eventually;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.ContractServer.LeaseElapser;
import org.mongolocks.server.RacyCounter;
import org.mongolocks.server.RawCollection;
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

    /** Why a rule is skipped whose outcome says nothing, because other times passed than it needs. */
    String TOO_SLOW = "the server, or a busy machine, was too slow for this rule";

    /** A command timeout that is never reached, even if threads are scheduled late. */
    Duration AMPLE_LIMIT = Duration.ofSeconds(30);

    /** Returns the strategy whose contract is checked. */
    LockStrategy strategy();

    /** Returns the server. */
    ContractServer server();

    /** Builds a client, an instance of its own. */
    default BlockingLocks newLocks() throws InterruptedException {
        return newLocks(builder -> {});
    }

    /** Builds a client with a stopped clock, as a paused process has. */
    default BlockingLocks newPausedLocks() throws InterruptedException {
        long pausedAt = server().time().nanoTime();
        return newLocks(builder -> ClientOptions.of(builder).time(() -> pausedAt));
    }

    /**
     * Builds a client with a proxy of its own, so that injected faults hit no other client.
     *
     * @param retryWrites whether its driver retries writes
     */
    FaultyLocks newFaultyLocks(boolean retryWrites, Duration commandTimeout) throws InterruptedException;

    /** Returns a latch that counts replies to commands about a lock, from the clients of {@link #newLocks()}. */
    CountDownLatch nextAnswered(LockName name, int times);

    /**
     * Returns the data that the rules protect with locks.
     *
     * @return a document that counts visits
     */
    RacyCounter newWitness();

    /** Returns a name that no other test uses. */
    LockName freshName();

    /** Cleans up an unused lock document, as the server does after its retention time. */
    void cleanUp(LockName name);

    /** Counts the waiters in the list of a lock, as stored on the server. */
    int waiters(LockName name);

    /** Returns whether strategy and server keep waiters in lists, so that there is an order among them. */
    default boolean hasWaitingLists() {
        return strategy().waitingList().isPresent() && server().hasUpdatePipelines();
    }

    /** Returns the ttl that the rules use. */
    default Duration ttl() {
        return server().ttl();
    }

    /** Returns the skew margin: how much earlier a lease ends for its holder than for the server. */
    default Duration skewMargin() {
        return ttl().dividedBy(10);
    }

    /** Acquires a lock that is not held, with keep-alive. */
    default BlockingLock keepAlive(BlockingLocks locks, LockName name) throws InterruptedException {
        return locks.tryAcquire(LockRequest.of(name, ttl()))
                .orElseThrow(() -> new AssertionError("Lock '" + name + "' could not be acquired"));
    }

    /** Lets time pass until a renewal is due, and waits until the lease is renewed. */
    default void elapseUntilRenewed(BlockingLock lock) throws Exception {
        long before = lock.lease().validUntilNanos();
        server().elapse(ttl().dividedBy(2).minus(skewMargin()));
        Eventually.isTrue("the lease is renewed", () -> lock.lease().validUntilNanos() - before > 0);
    }

    /** Returns a request that waits for many leases, longer than any rule needs. */
    default LockRequest patient(LockName name) {
        return LockRequest.of(name, ttl()).fixedLease().waitAtMost(ttl().multipliedBy(20));
    }

    /** Acquires a lock that is not held; skips the rule if the server needs longer than a command may take. */
    default BlockingLock acquire(BlockingLocks locks, LockName name) throws InterruptedException {
        long began = server().time().nanoTime();
        try {
            return locks.tryAcquire(name, ttl())
                    .orElseThrow(() -> new AssertionError("Lock '" + name + "' could not be acquired"));
        } catch (LockException e) {
            assumeTrue(isWithin(server().timeout(), began), TOO_SLOW);
            throw e;
        }
    }

    /** Takes over a lock whose holder has stopped renewing, and lets the time pass that this needs. */
    default BlockingLock takeOver(BlockingLocks locks, LockName name) throws Exception {
        CountDownLatch asked = nextAnswered(name, COMMANDS_OF_A_QUESTION);
        BackgroundTask<BlockingLock> waiter =
                BackgroundTask.run(() -> locks.tryAcquire(patient(name)).orElseThrow());
        waiter.runUntil(asked);
        return waiter.resultWhile(new LeaseElapser(server())::step);
    }

    /**
     * Builds a client with a proxy of its own, so that injected faults hit no other client. A rule in which a reply is
     * missing uses {@link #newHurried} instead.
     *
     * @param retryWrites whether its driver retries writes
     */
    default FaultyLocks newFaulty(boolean retryWrites) throws InterruptedException {
        return newFaultyLocks(retryWrites, AMPLE_LIMIT);
    }

    /**
     * Builds such a client with a short command timeout, for rules in which a reply is missing.
     *
     * @param retryWrites whether its driver retries writes
     */
    default FaultyLocks newHurried(boolean retryWrites) throws InterruptedException {
        return newFaultyLocks(retryWrites, server().timeout());
    }

    /** Returns the commands by which the strategy grants a lock. */
    default List<String> granting() {
        return strategy().traits().contains(Trait.NEEDS_TRANSACTIONS) ? List.of("commitTransaction") : WRITES;
    }

    /** Waits until all listeners of a lost lock have been notified, which happens in order. */
    default void settle(BlockingLock lock) throws Exception {
        AtomicBoolean reported = new AtomicBoolean();
        lock.onLost((lease, reason) -> reported.set(true));
        Eventually.isTrue("a listener is notified of the loss", reported::get);
    }

    /**
     * Checks that a lock is contended during a lease; skips the rule if it was granted so late that the lease may have ended.
     *
     * @param sinceNanos a time before the lease was granted
     */
    default void assertContended(BlockingLocks locks, LockName name, long sinceNanos) throws InterruptedException {
        boolean isGranted = locks.tryAcquire(name, ttl()).isPresent();
        assumeTrue(!isGranted || isWithin(ttl(), sinceNanos), TOO_SLOW);
        assertThat(isGranted).as("granted during a lease").isFalse();
    }

    /** Returns whether less than a duration has passed since a time. */
    default boolean isWithin(Duration duration, long sinceNanos) {
        return server().time().nanoTime() - sinceNanos < duration.toNanos();
    }

    /** Builds a client with other settings. */
    BlockingLocks newLocks(Consumer<LockClientBuilder<?>> setup) throws InterruptedException;

    /** Builds a client whose user has no other privileges, or skips the test where there is no access control. */
    LimitedLocks newLimitedLocks(String collection, Map<String, List<String>> actions) throws InterruptedException;

    /** Returns a collection as it is stored. */
    RawCollection stored(String collection);

    /** Returns the name of a collection that does not exist. */
    default String freshCollection() {
        return "operators-" + UUID.randomUUID();
    }

    /** Creates the collection of the data, so that no transaction has to. */
    void prepareData();

    /** Returns the data that was written in guarded transactions of a lock. */
    List<String> written(LockName name);

    /** Returns a latch that counts down when a client of {@link #newLocks()} next sends a command about a lock. */
    CountDownLatch nextSent(LockName name);

    /** Returns a fresh name, or skips the test on a server without transactions. */
    default LockName guardedName() {
        assumeFalse(server().isStandalone(), "A standalone has no transactions");
        prepareData();
        return freshName();
    }

    /** Returns names that no other test uses, sorted. */
    default List<LockName> freshNames(int count) {
        return set(Stream.generate(this::freshName).limit(count).toList(), Duration.ZERO)
                .names();
    }

    /** Returns a request for several locks. */
    default MultiLockRequest set(List<LockName> names, Duration wait) {
        return MultiLockRequest.of(names.stream().map(LockName::value).toList(), ttl())
                .fixedLease()
                .waitAtMost(wait);
    }

    /** Returns whether the strategy grants several locks in one step. */
    default boolean grantsInOneStep() {
        return strategy().traits().contains(Trait.MULTI_LOCK);
    }

    /** Acquires each of the locks with a client of its own and releases it, and returns whether none was held. */
    default boolean acquiresEach(List<LockName> names) throws InterruptedException {
        BlockingLocks others = newLocks();
        boolean free = true;
        for (LockName name : names) {
            free &= others.tryAcquire(name, ttl()).map(BlockingLock::release).orElse(false);
        }
        return free;
    }

    /** Returns the revision of a lock, which counts its changes; zero if nothing is stored. */
    default long revisionOf(BlockingLocks locks, LockName name) throws InterruptedException {
        return locks.inspect(name).map(LockSnapshot::revision).orElse(0L);
    }

    /** The rule of {@code docs/contract.md} that a test checks. */
    @Documented
    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.METHOD)
    @interface ContractRule {
        /** Returns the number of the rule, for example {@code MX-1}. */
        String value();
    }
}
