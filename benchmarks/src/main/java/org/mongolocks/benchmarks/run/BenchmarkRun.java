package org.mongolocks.benchmarks.run;

import com.mongodb.MongoException;
import com.mongodb.MongoInterruptedException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.stream.IntStream;
import org.mongolocks.benchmarks.result.RunResults;
import org.mongolocks.benchmarks.run.ProgressSteps.Progress;
import org.mongolocks.reporting.server.UnusableInputException;
import org.mongolocks.spi.LockStrategy;

/**
 * One run of benchmarks, one after another, each with its share of the time. If some took longer than their shares, the
 * others share the rest. A benchmark whose share is over may take a quarter of it more, and a grace period, for what it
 * has begun; then it does less.
 *
 * @param benchmarks the benchmarks
 * @param mode the length of the run
 * @param time the total time
 * @param grace how much longer than five quarters of its share a benchmark may take
 */
public record BenchmarkRun(List<Benchmark> benchmarks, RunLength mode, Duration time, Duration grace) {
    /** Enough for what a benchmark has begun, and too short to be noticed. */
    public static final Duration GRACE = Duration.ofSeconds(2);

    private static final int MIN_SHARE_DIVISOR = 3;

    public BenchmarkRun {
        benchmarks = List.copyOf(benchmarks);
    }

    /** A receiver of the results so far. */
    @FunctionalInterface
    public interface Results {
        /**
         * Receives the results after each benchmark, and at the end of the run, however it ends.
         *
         * @param findings the results
         * @param missing the ids of the benchmarks that have not ended
         */
        void receive(RunResults findings, List<String> missing);
    }

    /**
     * Runs all benchmarks.
     *
     * @throws UnusableInputException if the server stops answering or refuses a command that every strategy needs
     */
    public BenchmarkContext run(
            RunEnvironment environment, List<LockStrategy> strategies, Progress progress, Results results)
            throws InterruptedException {
        ProgressSteps steps = new ProgressSteps(progress, benchmarks.size());
        BenchmarkContext context = new BenchmarkContext(environment, strategies, mode, steps);
        long endNanos = System.nanoTime() + time.toNanos();
        int next = 0;
        try {
            for (; next < benchmarks.size(); next++) {
                Duration left = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
                Duration share = share(next, left);
                steps.begin(benchmarks.get(next), share, rest(next, left.minus(share)));
                context.begin(
                        benchmarks.get(next), share.multipliedBy(5).dividedBy(4).plus(grace));
                run(benchmarks.get(next), context, share);
                context.end();
                results.receive(context.results().findings(), ids(next + 1));
            }
            return context;
        } finally {
            if (next < benchmarks.size()) {
                results.receive(context.results().findings(), ids(next));
            }
        }
    }

    /** Returns the time of the benchmarks after one, if that takes its share. */
    private Duration rest(int number, Duration left) {
        Duration least = IntStream.range(number + 1, benchmarks.size())
                .mapToObj(this::planned)
                .reduce(Duration.ZERO, Duration::plus)
                .dividedBy(MIN_SHARE_DIVISOR);
        return left.compareTo(least) < 0 ? least : left;
    }

    private List<String> ids(int from) {
        return benchmarks.subList(from, benchmarks.size()).stream()
                .map(Benchmark::id)
                .toList();
    }

    /** Returns the ids of the benchmarks. */
    public List<String> ids() {
        return benchmarks.stream().map(Benchmark::id).distinct().toList();
    }

    private static void run(Benchmark benchmark, BenchmarkContext context, Duration share) throws InterruptedException {
        try {
            benchmark.scenario().run(context, share);
        } catch (MongoInterruptedException e) {
            throw BenchmarkContext.interrupted(e);
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
        /** Less than a minute, with the start of the server: enough to see large differences. */
        QUICK(Duration.ofSeconds(34)),
        /** Four minutes. */
        NORMAL(Duration.ofMinutes(4)),
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
