package org.mongolocks.benchmarks.sampling;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import org.HdrHistogram.Histogram;
import org.mongolocks.benchmarks.run.BenchmarkContext;

/**
 * The warm-up of operations: each is repeated until the JVM has compiled it, or until the time is over. Those that
 * mostly wait for a server run side by side; others would take the processors from the compiler, and run on the
 * calling thread.
 */
final class WarmUp {
    /** After so many repetitions the JVM has compiled an operation, or is about to. */
    private static final int WARM = 10_000;

    private static final Duration SLOW = Duration.ofMillis(1);
    private static final int TURNS = 8;
    /** Enough for the repetitions of an operation that takes 0.4 milliseconds. */
    private static final Duration MAX_TURN = Duration.ofMillis(500);

    private final BenchmarkContext context;
    private final Map<MeasuredOperation, Progress> operations = new LinkedHashMap<>();

    /**
     * The repetitions of an operation.
     *
     * @param medianNanos the median duration in the newest turn
     */
    private record Progress(long repetitions, long medianNanos) {
        static final Progress NONE = new Progress(0, 0);

        static Progress of(Histogram nanos) {
            return new Progress(nanos.getTotalCount(), nanos.getValueAtPercentile(50));
        }

        Progress plus(Progress newer) {
            return new Progress(repetitions + newer.repetitions, newer.medianNanos);
        }

        boolean isSlow() {
            return medianNanos >= SLOW.toNanos();
        }
    }

    WarmUp(BenchmarkContext context, Collection<MeasuredOperation> operations) {
        this.context = context;
        operations.forEach(operation -> this.operations.put(operation, Progress.NONE));
    }

    /** Runs for the time at most, but each operation at least once. A contender that fails is excluded. */
    void run(Duration time) throws InterruptedException {
        Duration share = time.dividedBy((long) TURNS * Math.max(1, operations.size()));
        Duration turn = share.compareTo(MAX_TURN) < 0 ? share : MAX_TURN;
        for (int turns = 0; turns < TURNS; turns++) {
            List<MeasuredOperation> slow = cold(true);
            for (MeasuredOperation fast : cold(false)) {
                context.attempt(fast.subject().contender(), () -> add(fast, fast.warmUp(turn)));
            }
            repeat(slow, share.multipliedBy(slow.size()));
        }
    }

    /** Returns the operations to be repeated: those of contenders that take part, and not yet often enough. */
    private List<MeasuredOperation> cold(boolean isSlow) {
        return operations.entrySet().stream()
                .filter(entry -> entry.getValue().repetitions() < WARM)
                .filter(entry -> entry.getValue().isSlow() == isSlow)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Repeats operations side by side. */
    private void repeat(List<MeasuredOperation> some, Duration time) throws InterruptedException {
        List<MeasuredOperation> present = some.stream()
                .filter(operation -> context.isIn(operation.subject().contender()))
                .toList();
        List<Callable<Histogram>> tasks = new ArrayList<>();
        present.forEach(operation -> tasks.add(() -> operation.warmUp(time)));
        List<Future<Histogram>> results = ConcurrentTasks.settle(tasks);
        for (int place = 0; place < results.size(); place++) {
            MeasuredOperation operation = present.get(place);
            Future<Histogram> result = results.get(place);
            context.attempt(operation.subject().contender(), () -> add(operation, ConcurrentTasks.result(result)));
        }
    }

    private void add(MeasuredOperation operation, Histogram nanos) {
        operations.merge(operation, Progress.of(nanos), Progress::plus);
    }
}
