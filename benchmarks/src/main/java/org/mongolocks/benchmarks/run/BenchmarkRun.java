package org.mongolocks.benchmarks.run;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.mongolocks.benchmarks.run.ProgressSteps.Progress;
import org.mongolocks.benchmarks.server.UnusableInputException;
import org.mongolocks.spi.LockStrategy;

/**
 * One run of benchmarks, one after another, each with its share of the time. If some took longer than their shares, the
 * others share the rest.
 *
 * @param benchmarks the benchmarks
 * @param mode the length of the run
 * @param time the total time
 */
public record BenchmarkRun(List<Benchmark> benchmarks, RunLength mode, Duration time) {
    private static final int MIN_SHARE_DIVISOR = 3;

    public BenchmarkRun {
        benchmarks = List.copyOf(benchmarks);
    }

    /**
     * Runs all benchmarks.
     *
     * @throws UnusableInputException if the server stops answering or refuses a command that every strategy needs
     */
    public BenchmarkContext run(RunEnvironment environment, List<LockStrategy> strategies, Progress progress)
            throws InterruptedException {
        ProgressSteps steps = new ProgressSteps(progress, benchmarks.size(), time);
        BenchmarkContext context = new BenchmarkContext(environment, strategies, mode, steps);
        long endNanos = System.nanoTime() + time.toNanos();
        for (int next = 0; next < benchmarks.size(); next++) {
            Duration left = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
            context.begin(benchmarks.get(next), planned(next));
            run(benchmarks.get(next), context, share(next, left));
        }
        return context;
    }

    /** Returns the ids of the benchmarks. */
    public List<String> ids() {
        return benchmarks.stream().map(Benchmark::id).distinct().toList();
    }

    private static void run(Benchmark benchmark, BenchmarkContext context, Duration share) throws InterruptedException {
        try {
            benchmark.run(context, share);
        } catch (MongoException e) {
            throw context.environment().complaint(e);
        }
    }

    /**
     * Returns the share of a benchmark in the time of all. If earlier ones took longer than theirs, it is its share in
     * the time that is left, but at least a third of the planned one, so that it still has figures.
     */
    private Duration share(int number, Duration left) {
        int weight = benchmarks.get(number).weight();
        Duration planned = planned(number);
        Duration affordable =
                left.multipliedBy(weight).dividedBy(weight(benchmarks.subList(number, benchmarks.size())));
        Duration least = planned.dividedBy(MIN_SHARE_DIVISOR);
        Duration share = affordable.compareTo(planned) < 0 ? affordable : planned;
        return share.compareTo(least) < 0 ? least : share;
    }

    /** Returns the share of a benchmark in the time of all, if none takes longer than its own. */
    private Duration planned(int number) {
        return time.multipliedBy(benchmarks.get(number).weight()).dividedBy(weight(benchmarks));
    }

    private static int weight(List<Benchmark> some) {
        return some.stream().mapToInt(Benchmark::weight).sum();
    }

    /** The length of a run. */
    public enum RunLength {
        /**
         * A minute with the start of the server and the parts that exceed their shares: enough for a functional check
         * and to see large differences.
         */
        QUICK(Duration.ofSeconds(38)),
        /** Six minutes. */
        NORMAL(Duration.ofMinutes(6)),
        /** Twenty minutes: for figures to publish. */
        FULL(Duration.ofMinutes(20));

        private final Duration time;

        RunLength(Duration time) {
            this.time = time;
        }

        /** Returns the total time of all benchmarks. */
        public Duration time() {
            return time;
        }

        /** Returns the name in JSON. */
        public String id() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
