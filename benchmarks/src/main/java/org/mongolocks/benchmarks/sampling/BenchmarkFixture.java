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
import org.mongolocks.benchmarks.driver.BenchmarkClient;
import org.mongolocks.benchmarks.driver.BenchmarkClient.BenchmarkLock;
import org.mongolocks.benchmarks.driver.DriverAdapter;
import org.mongolocks.benchmarks.driver.RawCommands;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.MeasurementStatus;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.spi.LockStrategy;

/** The fixture of one benchmark with one driver and one pool: its baselines and lock clients. */
public final class BenchmarkFixture implements AutoCloseable {
    private final BenchmarkContext session;
    private final String benchmark;
    private final DriverAdapter side;
    private final Map<String, MeasuredOperation> floors = new HashMap<>();
    private final List<BenchmarkClient> opened = new ArrayList<>();
    private final List<Runnable> watched = new ArrayList<>();

    BenchmarkFixture(BenchmarkContext session, String benchmark, Client client) {
        this.session = session;
        this.benchmark = benchmark;
        this.side = session.bench().side(client);
    }

    public MeasurementKey subject(String contender) {
        return MeasurementKey.of(benchmark, contender, side.client());
    }

    /** Returns a baseline with the durability of a lock; the same instance on each call. */
    public MeasuredOperation floor(Baseline floor) {
        return floors.computeIfAbsent(enter(floor, DURABLE), id -> lane(id, floor, DURABLE));
    }

    /** Returns a custom baseline; the same instance on each call. */
    public MeasuredOperation floor(LockUnderTest floor, Function<BenchmarkFixture, MeasuredOperation> maker) {
        session.enter(floor);
        return floors.computeIfAbsent(floor.id(), id -> maker.apply(this));
    }

    /** Creates a baseline with a write concern. */
    public MeasuredOperation floor(Baseline floor, WriteConcern concern) {
        return lane(enter(floor, concern), floor, concern);
    }

    /** Adds a baseline to the contenders and returns its id. */
    String enter(Baseline floor, WriteConcern concern) {
        LockUnderTest contender = floor.contender(concern);
        session.enter(contender);
        return contender.id();
    }

    /** Returns raw commands on a document that no other client uses. */
    public RawCommands raw(WriteConcern concern) {
        return side.raw(concern, session.bench().name("floor"));
    }

    /** Creates a client of a strategy. It is closed with this fixture. */
    public BenchmarkClient locks(LockStrategy strategy) throws InterruptedException {
        BenchmarkClient locks = side.locks(strategy, session.bench().name(strategy.name()));
        opened.add(locks);
        return locks;
    }

    /** Creates an uncontended lock. Its violations are judged when this fixture is closed. */
    public UncontendedLock ownLock(LockStrategy strategy, BenchmarkClient locks) {
        UncontendedLock lock = new UncontendedLock(locks);
        watched.add(() -> session.judge(strategy.name(), lock.violations()));
        return lock;
    }

    /** Checks the result of an attempt at a lock that another owner holds. */
    public void requireDenied(LockStrategy strategy, Optional<BenchmarkLock> answer) {
        if (answer.isPresent()) {
            session.judge(
                    strategy.name(),
                    MeasurementStatus.voided("More than one held the lock: one was granted that another held"));
            throw new LockException("A lock was granted while another owner held it");
        }
    }

    @Override
    public void close() {
        watched.forEach(Runnable::run);
        opened.forEach(BenchmarkClient::close);
    }

    private MeasuredOperation lane(String id, Baseline floor, WriteConcern concern) {
        RawCommands raw = raw(concern);
        return MeasuredOperation.of(subject(id), () -> floor.run(raw));
    }
}
