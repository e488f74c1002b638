package org.mongolocks.benchmarks.measure;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.List;
import org.mongolocks.benchmarks.console.UnusableInputException;
import org.mongolocks.benchmarks.result.Mode;
import org.mongolocks.spi.LockStrategy;

/**
 * One run of benchmarks, one after another, each with its share of the time.
 *
 * @param benchmarks the benchmarks
 * @param mode the length of the run
 * @param time the total time
 */
public record Course(List<Benchmark> benchmarks, Mode mode, Duration time) {
    public Course {
        benchmarks = List.copyOf(benchmarks);
    }

    /**
     * Runs all benchmarks.
     *
     * @throws UnusableInputException if the server stops answering or refuses a command that every strategy needs
     */
    public Session run(Workbench bench, List<LockStrategy> strategies, Progress progress) throws InterruptedException {
        Steps steps = new Steps(progress, benchmarks.size(), time);
        Session session = new Session(bench, strategies, mode, steps);
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

    private void run(Benchmark benchmark, Session session) throws InterruptedException {
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
