package org.mongolocks.benchmarks.cli;

import static java.util.stream.Collectors.joining;

import java.time.Duration;
import java.util.List;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.run.BenchmarkRun.RunLength;
import org.mongolocks.benchmarks.scenario.ClientProcessesBenchmark;
import org.mongolocks.benchmarks.scenario.ColdStartBenchmark;
import org.mongolocks.benchmarks.scenario.ContentionBenchmark;
import org.mongolocks.benchmarks.scenario.DeniedLatency;
import org.mongolocks.benchmarks.scenario.DurabilityBenchmark;
import org.mongolocks.benchmarks.scenario.FixedRateBenchmark;
import org.mongolocks.benchmarks.scenario.HandOffBenchmark;
import org.mongolocks.benchmarks.scenario.HeldLocksBenchmark;
import org.mongolocks.benchmarks.scenario.IdleWaitersBenchmark;
import org.mongolocks.benchmarks.scenario.ManyLocks;
import org.mongolocks.benchmarks.scenario.RecoveryBenchmark;
import org.mongolocks.benchmarks.scenario.ReentrantLatency;
import org.mongolocks.benchmarks.scenario.RenewalLatency;
import org.mongolocks.benchmarks.scenario.StaleConnectionsBenchmark;
import org.mongolocks.benchmarks.scenario.UncontendedLatency;
import org.mongolocks.benchmarks.scenario.WireBenchmark;
import org.mongolocks.benchmarks.server.UnusableInputException;

/**
 * The registry of all benchmarks. A new benchmark is added here.
 *
 * @param benchmarks the benchmarks to run, in execution order
 * @param totalWeight the weight of those that share the time of a run, with those that do not run
 */
record BenchmarkRegistry(List<Benchmark> benchmarks, int totalWeight) {
    private static final List<String> OF_A_CHOICE = List.of("B1", "B5", "B6", "B10");

    BenchmarkRegistry {
        benchmarks = List.copyOf(benchmarks);
    }

    /** Returns all benchmarks; some of them include the locks of other libraries. */
    static BenchmarkRegistry all(OtherLibraries peers) {
        List<Benchmark> all = List.of(
                new UncontendedLatency(peers),
                new DeniedLatency(peers),
                new ReentrantLatency(),
                new RenewalLatency(),
                new HandOffBenchmark(peers),
                new ContentionBenchmark(peers),
                new ManyLocks(),
                new IdleWaitersBenchmark(),
                new RecoveryBenchmark(),
                new WireBenchmark(),
                new FixedRateBenchmark(peers),
                new DurabilityBenchmark(),
                new ClientProcessesBenchmark(),
                new HeldLocksBenchmark(),
                new StaleConnectionsBenchmark(),
                new ColdStartBenchmark());
        return new BenchmarkRegistry(all, weight(all));
    }

    /**
     * Returns the benchmarks of a run: those with these ids or, if no id is given, all. A quick run has only those by
     * which the strategy is chosen, and they share its time.
     *
     * @throws UnusableInputException if an id is unknown
     */
    BenchmarkRegistry of(RunLength mode, List<String> ids) {
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
    BenchmarkRegistry only(List<String> ids) {
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
    Duration shareOf(Duration total) {
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
