package org.mongolocks.benchmarks.lock;

import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.driver.Driver;
import org.mongolocks.benchmarks.lock.LockImplementation.BenchmarkParticipant;
import org.mongolocks.benchmarks.lock.LockImplementation.WaitMode;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.benchmarks.run.RunEnvironment.CommandCounter;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.spi.LockStrategy;

/** A strategy with one of the two clients, on its own connections. */
public final class StrategyLock implements LockImplementation {
    private final RunEnvironment environment;
    private final LockStrategy strategy;
    private final CommandCounter commands = new CommandCounter();
    private final Driver driver;

    private final boolean isPoolShared;

    private StrategyLock(
            RunEnvironment environment,
            LockStrategy strategy,
            Function<CommandCounter, Driver> driver,
            boolean isPoolShared) {
        this.environment = environment;
        this.strategy = strategy;
        this.driver = driver.apply(commands);
        this.isPoolShared = isPoolShared;
    }

    /** Creates a lock with a pool of its own, whose commands are counted. */
    public StrategyLock(RunEnvironment environment, LockStrategy strategy, Client client) {
        this(environment, strategy, counter -> environment.driver(client, counter), false);
    }

    /** Returns a lock on the pool of the run, whose commands are not counted. */
    public static StrategyLock onSharedPool(RunEnvironment environment, LockStrategy strategy, Client client) {
        return new StrategyLock(environment, strategy, counter -> environment.driver(client), true);
    }

    @Override
    public String id() {
        return strategy.name();
    }

    @Override
    public Client client() {
        return driver.client();
    }

    @Override
    public BenchmarkParticipant open() throws InterruptedException {
        return participant(driver.locks(strategy, environment.name(strategy.name())));
    }

    /** Returns a participant with a client of its own, which is closed with it. */
    public static BenchmarkParticipant participant(BlockingLocks client) {
        return new OneClient(client);
    }

    @Override
    public WaitMode waiting() {
        return environment.isStandalone() ? WaitMode.polling(Driver.MAX_POLL) : WaitMode.NOTIFIED;
    }

    @Override
    public OptionalLong commands() {
        return isPoolShared ? OptionalLong.empty() : OptionalLong.of(commands.count());
    }

    @Override
    public Optional<Baseline> baseline() {
        return Optional.of(Baseline.of(strategy));
    }

    @Override
    public void close() {
        if (!isPoolShared) {
            driver.close();
        }
    }

    private record OneClient(BlockingLocks locks) implements BenchmarkParticipant {
        @Override
        public Optional<AcquiredLock> acquire(LockRequest request) throws InterruptedException {
            return locks.tryAcquire(request).map(Lock::new);
        }

        @Override
        public void close() {
            locks.close();
        }
    }

    private record Lock(BlockingLock held) implements AcquiredLock {
        @Override
        public OptionalLong fencingToken() {
            return OptionalLong.of(held.fencingToken());
        }

        @Override
        public boolean release() {
            return held.release();
        }
    }
}
