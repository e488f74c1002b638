package org.mongolocks.benchmarks.run;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.mongolocks.benchmarks.run.ProgressSteps.Progress;
import org.mongolocks.benchmarks.server.UnusableInputException;
import org.mongolocks.spi.LockStrategy;

/**
 * One run of benchmarks, one after another, each with its share of the time.
 *
 * @param benchmarks the benchmarks
 * @param mode the length of the run
 * @param time the total time
 */
public record BenchmarkRun(List<Benchmark> benchmarks, RunLength mode, Duration time) {
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
        for (Benchmark benchmark : benchmarks) {
            context.begin(benchmark);
            run(benchmark, context);
        }
        return context;
    }

    /** Returns the ids of the benchmarks. */
    public List<String> ids() {
        return benchmarks.stream().map(Benchmark::id).distinct().toList();
    }

    private void run(Benchmark benchmark, BenchmarkContext context) throws InterruptedException {
        try {
            benchmark.run(context, share(benchmark));
        } catch (MongoException e) {
            throw context.environment().complaint(e);
        }
    }

    private Duration share(Benchmark benchmark) {
        int all = benchmarks.stream().mapToInt(Benchmark::weight).sum();
        return time.multipliedBy(benchmark.weight()).dividedBy(all);
    }

    /** The length of a run. */
    public enum RunLength {
        /** A minute: enough for a functional check and to see large differences. */
        QUICK(Duration.ofMinutes(1)),
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
