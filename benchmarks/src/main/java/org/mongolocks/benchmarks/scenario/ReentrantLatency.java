package org.mongolocks.benchmarks.scenario;

import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.result.LockUnderTest;
import org.mongolocks.benchmarks.result.LockUnderTest.Kind;
import org.mongolocks.benchmarks.result.LockUnderTest.Properties;
import org.mongolocks.benchmarks.sampling.BenchmarkFixture;
import org.mongolocks.benchmarks.sampling.MeasuredOperation;
import org.mongolocks.benchmarks.sampling.Samples.Operation;
import org.mongolocks.benchmarks.sampling.UncontendedLock;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.spi.LockStrategy;

/** The benchmark of acquiring a lock that the same owner holds, and releasing that acquisition. */
final class ReentrantLatency implements PairedBenchmark {
    /** One operation takes some ten nanoseconds, about as long as reading the clock. */
    private static final int BATCH = 1_000;

    private static final LockUnderTest LOCAL_LOCK = LockUnderTest.of(
            "floor-reentrant-lock",
            Kind.BASELINE,
            "java.util.concurrent.locks.ReentrantLock",
            new Properties("none", "none", "thread", "none", "a parked thread", "no replies to lose"));

    @Override
    public List<MeasuredOperation> operations(BenchmarkFixture fixture, LockStrategy strategy)
            throws InterruptedException {
        BlockingLocks locks = fixture.locks(strategy);
        UncontendedLock lock = fixture.ownLock(strategy, locks);
        Operation entry = () -> enter(locks, fixture, lock).release();
        enter(locks, fixture, lock);
        MeasuredOperation operation = MeasuredOperation.ofBatch(fixture.subject(strategy.name()), entry, BATCH);
        return List.of(operation.over(fixture.baseline(LOCAL_LOCK, ReentrantLatency::localLock)));
    }

    private static MeasuredOperation localLock(BenchmarkFixture fixture) {
        ReentrantLock lock = new ReentrantLock();
        Operation entry = () -> enterLocally(lock);
        return MeasuredOperation.ofBatch(fixture.subject(LOCAL_LOCK.id()), entry, BATCH);
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

    private static BlockingLock enter(BlockingLocks locks, Object owner, UncontendedLock lock)
            throws InterruptedException {
        Optional<BlockingLock> entry = locks.enter(owner, lock.request());
        return entry.orElseThrow(() -> new LockException("A reentrant acquire by the holder was not granted"));
    }
}
