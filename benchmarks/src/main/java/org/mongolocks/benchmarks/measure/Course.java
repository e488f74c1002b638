package org.mongolocks.benchmarks.measure;

import com.mongodb.MongoException;
import java.time.Duration;
import java.util.List;
import org.mongolocks.benchmarks.console.UnusableInputException;
import org.mongolocks.benchmarks.result.Mode;
import org.mongolocks.spi.LockStrategy;

/**
 * Runs benchmarks one after another; each gets its share of the time.
 *
 * @param benchmarks what is measured
 * @param mode how thoroughly
 * @param time the time of them all
 */
public record Course(List<Benchmark> benchmarks, Mode mode, Duration time) {
    public Course {
        benchmarks = List.copyOf(benchmarks);
    }

    /**
     * Measures everything.
     *
     * @throws UnusableInputException if the server stops answering or refuses what every strategy needs
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

    /** Gives the names of the benchmarks. */
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
