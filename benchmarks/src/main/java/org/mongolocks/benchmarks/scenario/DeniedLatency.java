package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.List;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.sampling.BenchmarkFixture;
import org.mongolocks.benchmarks.sampling.MeasuredOperation;
import org.mongolocks.benchmarks.sampling.Samples.Operation;
import org.mongolocks.benchmarks.sampling.UncontendedLock;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.spi.LockStrategy;

/**
 * The benchmark of an attempt at a lock that another owner holds.
 *
 * @param peers the locks of other libraries
 */
record DeniedLatency(OtherLibraries peers) implements PairedBenchmark {
    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        try (PeerOperations others = new PeerOperations(context, peers)) {
            run(context, time, others::denied);
        }
    }

    @Override
    public List<MeasuredOperation> operations(BenchmarkFixture fixture, LockStrategy strategy)
            throws InterruptedException {
        BlockingLocks locks = fixture.locks(strategy);
        UncontendedLock held = fixture.ownLock(strategy, locks);
        held.hold();
        Operation attempt = () -> fixture.requireDenied(strategy, locks.tryAcquire(held.request()));
        return List.of(MeasuredOperation.of(fixture.subject(strategy.name()), attempt)
                .over(fixture.baseline(Baseline.FIND_AND_MODIFY)));
    }
}
