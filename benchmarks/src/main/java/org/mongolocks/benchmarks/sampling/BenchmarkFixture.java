package org.mongolocks.benchmarks.sampling;

import static org.mongolocks.benchmarks.driver.Baseline.DURABLE;

import com.mongodb.WriteConcern;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.driver.DriverAdapter;
import org.mongolocks.benchmarks.driver.RawCommands;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
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
        return baselines.computeIfAbsent(enter(baseline, DURABLE), id -> operation(id, baseline, DURABLE));
    }

    /** Returns a custom baseline; the same instance on each call. */
    public MeasuredOperation baseline(LockUnderTest baseline, Function<BenchmarkFixture, MeasuredOperation> maker) {
        context.enter(baseline);
        return baselines.computeIfAbsent(baseline.id(), id -> maker.apply(this));
    }

    /** Creates a baseline with a write concern. */
    public MeasuredOperation baseline(Baseline baseline, WriteConcern concern) {
        return operation(enter(baseline, concern), baseline, concern);
    }

    /** Adds a baseline to the contenders and returns its id. */
    String enter(Baseline baseline, WriteConcern concern) {
        LockUnderTest contender = baseline.contender(concern);
        context.enter(contender);
        return contender.id();
    }

    /** Returns raw commands on a document that no other client uses. */
    public RawCommands raw(WriteConcern concern) {
        return driver.raw(concern, context.environment().name("baseline"));
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

    /** Checks the result of an attempt at a lock that another owner holds. */
    public void requireDenied(LockStrategy strategy, Optional<BlockingLock> answer) {
        if (answer.isPresent()) {
            context.judge(
                    strategy.name(),
                    MeasurementStatus.voided("More than one held the lock: one was granted that another held"));
            throw new LockException("A lock was granted while another owner held it");
        }
    }

    @Override
    public void close() {
        watched.forEach(Runnable::run);
        opened.forEach(BlockingLocks::close);
    }

    private MeasuredOperation operation(String id, Baseline baseline, WriteConcern concern) {
        RawCommands raw = raw(concern);
        return MeasuredOperation.of(subject(id), () -> baseline.run(raw));
    }
}
