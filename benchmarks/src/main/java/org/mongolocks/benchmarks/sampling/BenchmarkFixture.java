package org.mongolocks.benchmarks.sampling;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.driver.DriverAdapter;
import org.mongolocks.benchmarks.driver.RawCommands;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.spi.LockStrategy;

/** The fixture of one benchmark with one driver and one pool: its baselines and lock clients. */
public final class BenchmarkFixture implements AutoCloseable {
    private final BenchmarkContext context;
    private final DriverAdapter driver;
    private final Map<String, MeasuredOperation> baselines = new HashMap<>();
    private final List<BlockingLocks> opened = new ArrayList<>();
    private final List<Runnable> watched = new ArrayList<>();

    BenchmarkFixture(BenchmarkContext context, Client client) {
        this.context = context;
        this.driver = context.environment().driver(client);
    }

    Client client() {
        return driver.client();
    }

    public MeasurementKey subject(String contender) {
        return context.subject(contender, driver.client());
    }

    /** Returns a baseline with the durability of a lock; the same instance on each call. */
    public MeasuredOperation baseline(Baseline baseline) {
        LockUnderTest contender = baseline.contender();
        context.enter(contender);
        return baselines.computeIfAbsent(contender.id(), id -> {
            RawCommands raw = driver.raw(Baseline.DURABLE, context.environment().name("baseline"));
            return MeasuredOperation.of(subject(id), () -> baseline.run(raw));
        });
    }

    /** Creates a client of a strategy. It is closed with this fixture. */
    public BlockingLocks locks(LockStrategy strategy) throws InterruptedException {
        BlockingLocks locks = driver.locks(strategy, context.environment().name(strategy.name()));
        opened.add(locks);
        return locks;
    }

    /** Creates an uncontended lock. Its violations are judged when this fixture is closed. */
    public UncontendedLock ownLock(LockStrategy strategy, BlockingLocks locks) {
        UncontendedLock lock = new UncontendedLock(locks);
        watched.add(() -> context.judge(strategy.name(), lock.violations()));
        return lock;
    }

    @Override
    public void close() {
        watched.forEach(Runnable::run);
        opened.forEach(BlockingLocks::close);
    }
}
