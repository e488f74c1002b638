package org.mongolocks.benchmarks.race;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.client.Baseline;
import org.mongolocks.benchmarks.client.BenchmarkClient;
import org.mongolocks.benchmarks.client.BenchmarkLock;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.measure.Samples.Operation;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.spi.LockStrategy;

/** The paired benchmarks of a single operation per strategy. */
public final class PairedBenchmarks {
    private static final int WEIGHT = 8;
    /** One operation takes some ten nanoseconds, about as long as reading the clock. */
    private static final int BATCH = 1_000;

    private static final LockUnderTest LOCAL_LOCK = LockUnderTest.of(
            "floor-reentrant-lock",
            Kind.FLOOR,
            "java.util.concurrent.locks.ReentrantLock",
            new Properties("none", "none", "thread", "none", "a parked thread", "no replies to lose"));

    private PairedBenchmarks() {}

    /** Returns the benchmark of an attempt at a lock that another owner holds. */
    public static Benchmark denied() {
        return new PairedBenchmark("B2", "ask for a lock that is held", WEIGHT, PairedBenchmarks::denied);
    }

    /** Returns the benchmark of acquiring a lock that the same owner holds, and releasing that acquisition. */
    public static Benchmark reentered() {
        return new PairedBenchmark("B3", "enter a lock again", WEIGHT / 2, PairedBenchmarks::reentered);
    }

    /** Creates the operation that renews a lease. */
    static MeasuredOperation renewed(BenchmarkFixture field, LockStrategy strategy) throws InterruptedException {
        BenchmarkLock lock = field.ownLock(strategy, field.locks(strategy)).hold();
        MeasuredOperation lane = MeasuredOperation.of(field.subject(strategy.name()), () -> renew(lock));
        return lane.over(field.floor(Baseline.FIND_AND_MODIFY));
    }

    private static List<MeasuredOperation> denied(BenchmarkFixture field, LockStrategy strategy)
            throws InterruptedException {
        BenchmarkClient locks = field.locks(strategy);
        UncontendedLock held = field.ownLock(strategy, locks);
        held.hold();
        Operation question = () -> field.requireDenied(strategy, locks.tryAcquire(held.request()));
        return List.of(MeasuredOperation.of(field.subject(strategy.name()), question)
                .over(field.floor(Baseline.FIND_AND_MODIFY)));
    }

    private static List<MeasuredOperation> reentered(BenchmarkFixture field, LockStrategy strategy)
            throws InterruptedException {
        BenchmarkClient locks = field.locks(strategy);
        UncontendedLock lock = field.ownLock(strategy, locks);
        Operation entry = () -> enter(locks, field, lock).release();
        enter(locks, field, lock);
        MeasuredOperation lane = MeasuredOperation.ofBatch(field.subject(strategy.name()), entry, BATCH);
        return List.of(lane.over(field.floor(LOCAL_LOCK, PairedBenchmarks::localLock)));
    }

    private static MeasuredOperation localLock(BenchmarkFixture field) {
        ReentrantLock lock = new ReentrantLock();
        Operation entry = () -> enterLocally(lock);
        return MeasuredOperation.ofBatch(field.subject(LOCAL_LOCK.id()), entry, BATCH);
    }

    private static void enterLocally(ReentrantLock lock) {
        lock.lock();
        try {
            if (!lock.isHeldByCurrentThread()) {
                throw new IllegalStateException("The local lock is not held after it was acquired");
            }
        } finally {
            lock.unlock();
        }
    }

    private static BenchmarkLock enter(BenchmarkClient locks, Object owner, UncontendedLock lock)
            throws InterruptedException {
        Optional<BenchmarkLock> entry = locks.enter(owner, lock.request());
        return entry.orElseThrow(() -> new LockException("A reentrant acquire by the holder was not granted"));
    }

    private static void renew(BenchmarkLock lock) throws InterruptedException {
        if (!lock.renew()) {
            throw new LockException("An uncontended lock had been lost when it was renewed");
        }
    }
}
