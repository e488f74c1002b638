package org.mongolocks.benchmarks.jmh;

import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.lock.StrategyLock;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.ProtectedData;
import org.mongolocks.benchmarks.run.ProtectedData.Violations;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.sampling.UncontendedLock;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.spi.LockStrategies;
import org.mongolocks.spi.LockStrategy;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The JMH state of the locks: one strategy with one client, and data protected by one of its locks. A violation makes
 * the benchmark fail.
 */
@State(Scope.Benchmark)
@SuppressWarnings("NullAway.Init") // JMH sets the parameters and calls the set-up first.
public class LockState {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);

    @Param
    public Client client;

    @Param({"findandmodify-counter", "flag-update", "insert-unique", "optimistic-version", "transactional"})
    public String strategy;

    private final Queue<UncontendedLock> owned = new ConcurrentLinkedQueue<>();
    private ServerState serverState;
    private BlockingLocks locks;
    private ProtectedData data;

    @Setup(Level.Trial)
    public void open() throws InterruptedException {
        serverState = ServerState.open();
        LockStrategy chosen = LockStrategies.named(strategy);
        locks = serverState
                .environment()
                .driver(client)
                .locks(chosen, serverState.environment().name(strategy));
        data = serverState.environment().protectedData(strategy);
    }

    @TearDown(Level.Trial)
    public void close() {
        Violations visited = data.violations();
        locks.close();
        serverState.close();
        requireNone(visited);
        owned.forEach(lock -> requireNone(lock.violations()));
    }

    static LockRequest request(String name) {
        return LockRequest.of(name, RunEnvironment.TTL).fixedLease().waitAtMost(TIMEOUT);
    }

    BlockingLocks locks() {
        return locks;
    }

    /** Returns an uncontended lock. */
    UncontendedLock ownLock() {
        UncontendedLock lock = new UncontendedLock(StrategyLock.participant(locks));
        owned.add(lock);
        return lock;
    }

    void visitUnderLock(LockRequest request) throws InterruptedException {
        visitAndRelease(acquire(request));
    }

    BlockingLock acquire(LockRequest request) throws InterruptedException {
        return locks.tryAcquire(request).orElseThrow(() -> new LockException("The lock was not granted in time"));
    }

    void visitAndRelease(BlockingLock lock) {
        data.visit(lock.fencingToken());
        if (!lock.release()) {
            throw new LockException("The lock had been lost when it was released");
        }
    }

    private void requireNone(Violations violations) {
        if (violations.total() > 0) {
            throw new IllegalStateException("Strategy '" + strategy + "' does not exclude: " + violations);
        }
    }
}
