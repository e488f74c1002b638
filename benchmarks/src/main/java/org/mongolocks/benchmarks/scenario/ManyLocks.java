package org.mongolocks.benchmarks.scenario;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.mongolocks.benchmarks.driver.Baseline;
import org.mongolocks.benchmarks.driver.BenchmarkClient;
import org.mongolocks.benchmarks.driver.RawCommands;
import org.mongolocks.benchmarks.result.RunLength;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkContext;
import org.mongolocks.benchmarks.sampling.BenchmarkFixture;
import org.mongolocks.benchmarks.sampling.InterleavedRunner;
import org.mongolocks.benchmarks.sampling.MeasuredOperation;
import org.mongolocks.benchmarks.sampling.MeasuredOperations;
import org.mongolocks.benchmarks.sampling.MeasurementRecorder;
import org.mongolocks.benchmarks.sampling.Samples.Operation;
import org.mongolocks.spi.LockStrategy;

/**
 * The benchmark of many locks: threads acquire and release locks that they do not share, so that they wait only for the
 * server.
 */
public final class ManyLocks implements Benchmark {
    private static final String ID = "B7";
    private static final int WEIGHT = 10;
    private static final int THREADS = 8;

    @Override
    public String id() {
        return ID;
    }

    @Override
    public String title() {
        return "many locks, " + THREADS + " threads";
    }

    @Override
    public int weight() {
        return WEIGHT;
    }

    @Override
    public void run(BenchmarkContext session, Duration time) throws InterruptedException {
        List<Integer> numbers = session.mode() == RunLength.QUICK ? List.of(64) : List.of(8, 64, 1_024);
        for (int locks : numbers) {
            run(session, time.dividedBy(numbers.size()), locks);
        }
    }

    private static void run(BenchmarkContext session, Duration time, int locks) throws InterruptedException {
        try (MeasuredOperations lineup = new MeasuredOperations(session, ID)) {
            List<MeasuredOperation> lanes = lineup.lanes((field, strategy) -> List.of(lane(field, strategy, locks)));
            try (InterleavedRunner race = new InterleavedRunner(session, lanes)) {
                MeasurementRecorder score = new MeasurementRecorder(session, race.run(time));
                race.lanes().forEach(score::throughput);
            }
        }
    }

    private static MeasuredOperation lane(BenchmarkFixture field, LockStrategy strategy, int locks)
            throws InterruptedException {
        BenchmarkClient client = field.locks(strategy);
        List<Operation> crew = crew(locks, () -> field.ownLock(strategy, client)::acquireAndRelease);
        Baseline floor = Baseline.of(strategy);
        MeasuredOperation bound = field.floor(floor.contender(Baseline.DURABLE), from -> floor(from, floor, locks));
        return MeasuredOperation.of(
                        field.subject(strategy.name()).with("locks", locks).with("threads", THREADS), crew)
                .over(bound);
    }

    private static MeasuredOperation floor(BenchmarkFixture field, Baseline floor, int locks) {
        List<Operation> crew = crew(locks, () -> {
            RawCommands raw = field.raw(Baseline.DURABLE);
            return () -> floor.run(raw);
        });
        String id = floor.contender(Baseline.DURABLE).id();
        return MeasuredOperation.of(field.subject(id).with("locks", locks).with("threads", THREADS), crew);
    }

    /** Distributes the locks evenly over the threads; each thread uses its locks in turn. */
    private static List<Operation> crew(int locks, java.util.function.Supplier<Operation> lock) {
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
