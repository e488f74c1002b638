package org.mongolocks.benchmarks.run;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.List;
import org.mongolocks.benchmarks.result.RunLength;
import org.mongolocks.benchmarks.run.ProgressSteps.Progress;
import org.mongolocks.benchmarks.target.UnusableInputException;
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
    public BenchmarkContext run(RunEnvironment bench, List<LockStrategy> strategies, Progress progress)
            throws InterruptedException {
        ProgressSteps steps = new ProgressSteps(progress, benchmarks.size(), time);
        BenchmarkContext session = new BenchmarkContext(bench, strategies, mode, steps);
        for (Benchmark benchmark : benchmarks) {
            session.begin(benchmark);
            run(benchmark, session);
        }
        return session;
    }

    /** Returns the ids of the benchmarks. */
    public List<String> ids() {
        return benchmarks.stream().map(Benchmark::id).distinct().toList();
    }

    private void run(Benchmark benchmark, BenchmarkContext session) throws InterruptedException {
        try {
            benchmark.run(session, share(benchmark));
        } catch (MongoException e) {
            throw session.bench().complaint(e);
        }
    }

    private Duration share(Benchmark benchmark) {
        int all = benchmarks.stream().mapToInt(Benchmark::weight).sum();
        return time.multipliedBy(benchmark.weight()).dividedBy(all);
    }
}
