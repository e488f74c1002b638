package org.mongolocks.benchmarks.scenario;

import static java.util.stream.Collectors.joining;

import java.time.Duration;
import java.util.List;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.reporting.server.UnusableInputException;

/**
 * The registry of all benchmarks. A new benchmark is added here.
 *
 * @param benchmarks the benchmarks to run, in execution order
 * @param totalWeight the weight of those that share the time of a run, with those that do not run
 */
public record BenchmarkRegistry(List<Benchmark> benchmarks, int totalWeight) {
    private static final List<String> OF_A_CHOICE = List.of("B1", "B5", "B6", "B10");

    public BenchmarkRegistry {
        benchmarks = List.copyOf(benchmarks);
    }

    /** Returns all benchmarks; some of them include the locks of other libraries. */
    public static BenchmarkRegistry all(OtherLibraries peers) {
        List<Benchmark> all = List.of(
                new Benchmark("B1", "acquire and release", 19, new UncontendedLatency(peers)),
                new Benchmark("B5", "hand-off to a waiter", 18, new HandOffBenchmark(peers)),
                new Benchmark("B6", "contention", 34, new ContentionBenchmark(peers)),
                new Benchmark("B9", "recovery", 16, new RecoveryBenchmark()),
                new Benchmark("B10", "bytes and oplog entries of a grant", 3, new WireBenchmark()),
                new Benchmark("B11", "fixed rates", 10, new FixedRateBenchmark(peers)),
                new Benchmark("B14", "one lock, many processes", 24, new ClientProcessesBenchmark()),
                new Benchmark("B15", "many locks kept alive", 20, new HeldLocksBenchmark()));
        return new BenchmarkRegistry(all, weight(all));
    }

    /**
     * Returns the benchmarks of a run: those with these ids or, if no id is given, all. A quick run has only those by
     * which the strategy is chosen, and they share its time.
     *
     * @throws UnusableInputException if an id is unknown
     */
    public BenchmarkRegistry of(RunLength mode, List<String> ids) {
        return mode == RunLength.QUICK
                ? new BenchmarkRegistry(
                        only(ids.isEmpty() ? OF_A_CHOICE : ids).benchmarks, weight(only(OF_A_CHOICE).benchmarks))
                : only(ids);
    }

    /**
     * Returns the benchmarks with these ids, in execution order; all if no id is given.
     *
     * @throws UnusableInputException if an id is unknown
     */
    public BenchmarkRegistry only(List<String> ids) {
        ids.forEach(this::requireKnown);
        return ids.isEmpty()
                ? this
                : new BenchmarkRegistry(
                        benchmarks.stream()
                                .filter(benchmark -> ids.contains(benchmark.id()))
                                .toList(),
                        totalWeight);
    }

    List<String> ids() {
        return benchmarks.stream().map(Benchmark::id).distinct().toList();
    }

    /** Returns the time of these benchmarks in a run whose benchmarks take this time together. */
    public Duration shareOf(Duration total) {
        return total.multipliedBy(weight(benchmarks)).dividedBy(totalWeight);
    }

    private static int weight(List<Benchmark> some) {
        return some.stream().mapToInt(Benchmark::weight).sum();
    }

    private void requireKnown(String id) {
        if (!ids().contains(id)) {
            throw new UnusableInputException("no benchmark is named '" + id + "'; there are: "
                    + ids().stream().collect(joining(", ")) + " (see --help)");
        }
    }
}
