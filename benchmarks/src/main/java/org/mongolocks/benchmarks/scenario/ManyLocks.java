package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.driver.RawCommands;
import org.mongolocks.benchmarks.run.Benchmark.Scenario;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.sampling.BenchmarkFixture;
import org.mongolocks.benchmarks.sampling.InterleavedRunner;
import org.mongolocks.benchmarks.sampling.MeasuredOperation;
import org.mongolocks.benchmarks.sampling.MeasuredOperations;
import org.mongolocks.benchmarks.sampling.MeasurementRecorder;
import org.mongolocks.benchmarks.sampling.Samples.Operation;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.spi.LockStrategy;

/**
 * The benchmark of many locks: threads acquire and release locks that they do not share, so that they wait only for the
 * server.
 */
final class ManyLocks implements Scenario {
    private static final int THREADS = 8;

    @Override
    public void run(BenchmarkContext context, Duration time) throws InterruptedException {
        List<Integer> numbers = context.mode() == RunLength.QUICK ? List.of(64) : List.of(8, 64, 1_024);
        for (int locks : numbers) {
            run(context, time.dividedBy(numbers.size()), locks);
        }
    }

    private static void run(BenchmarkContext context, Duration time, int locks) throws InterruptedException {
        try (MeasuredOperations contenders = new MeasuredOperations(context)) {
            List<MeasuredOperation> operations =
                    contenders.operations((fixture, strategy) -> List.of(operation(fixture, strategy, locks)));
            try (InterleavedRunner runner = new InterleavedRunner(context, operations)) {
                MeasurementRecorder recorder = new MeasurementRecorder(context, runner.run(time));
                runner.operations().forEach(recorder::throughput);
            }
        }
    }

    private static MeasuredOperation operation(BenchmarkFixture fixture, LockStrategy strategy, int locks)
            throws InterruptedException {
        BlockingLocks client = fixture.locks(strategy);
        List<Operation> workers = workers(locks, () -> fixture.ownLock(strategy, client)::acquireAndRelease);
        Baseline baseline = Baseline.of(strategy);
        MeasuredOperation bound =
                fixture.baseline(baseline.contender(Baseline.DURABLE), from -> baseline(from, baseline, locks));
        return MeasuredOperation.of(
                        fixture.subject(strategy.name()).with("locks", locks).with("threads", THREADS), workers)
                .over(bound);
    }

    private static MeasuredOperation baseline(BenchmarkFixture fixture, Baseline baseline, int locks) {
        List<Operation> workers = workers(locks, () -> {
            RawCommands raw = fixture.raw(Baseline.DURABLE);
            return () -> baseline.run(raw);
        });
        String id = baseline.contender(Baseline.DURABLE).id();
        return MeasuredOperation.of(fixture.subject(id).with("locks", locks).with("threads", THREADS), workers);
    }

    /** Distributes the locks evenly over the threads; each thread uses its locks in turn. */
    private static List<Operation> workers(int locks, java.util.function.Supplier<Operation> lock) {
        return Stream.generate(() ->
                        inTurn(Stream.generate(lock).limit(locks / THREADS).toList()))
                .limit(THREADS)
                .toList();
    }

    private static Operation inTurn(List<Operation> own) {
        List<Operation> queue = new ArrayList<>(own);
        return () -> {
            Operation next = queue.remove(0);
            queue.add(next);
            next.run();
        };
    }
}
