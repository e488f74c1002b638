package org.mongolocks.benchmarks.cli;

import static java.util.stream.Collectors.joining;

import java.util.List;
import org.mongolocks.benchmarks.lock.OtherLibraries;
import org.mongolocks.benchmarks.run.Benchmark;
import org.mongolocks.benchmarks.scenario.ContentionBenchmark;
import org.mongolocks.benchmarks.scenario.DeniedLatency;
import org.mongolocks.benchmarks.scenario.DurabilityBenchmark;
import org.mongolocks.benchmarks.scenario.FixedRateBenchmark;
import org.mongolocks.benchmarks.scenario.HandOffBenchmark;
import org.mongolocks.benchmarks.scenario.IdleWaitersBenchmark;
import org.mongolocks.benchmarks.scenario.ManyLocks;
import org.mongolocks.benchmarks.scenario.OtherLibraryCosts;
import org.mongolocks.benchmarks.scenario.OtherLibraryCosts.Operation;
import org.mongolocks.benchmarks.scenario.RecoveryBenchmark;
import org.mongolocks.benchmarks.scenario.ReentrantLatency;
import org.mongolocks.benchmarks.scenario.RenewalLatency;
import org.mongolocks.benchmarks.scenario.UncontendedLatency;
import org.mongolocks.benchmarks.scenario.WireBenchmark;
import org.mongolocks.benchmarks.server.UnusableInputException;

/**
 * The registry of all benchmarks. A new benchmark is added here.
 *
 * @param benchmarks the benchmarks, in execution order
 */
record BenchmarkRegistry(List<Benchmark> benchmarks) {
    BenchmarkRegistry {
        benchmarks = List.copyOf(benchmarks);
    }

    /** Returns all benchmarks; some of them include the locks of other libraries. */
    static BenchmarkRegistry all(OtherLibraries peers) {
        return new BenchmarkRegistry(List.of(
                new UncontendedLatency(),
                new OtherLibraryCosts(peers, Operation.ACQUIRE_AND_RELEASE),
                new DeniedLatency(),
                new OtherLibraryCosts(peers, Operation.DENIED),
                new ReentrantLatency(),
                new RenewalLatency(),
                new HandOffBenchmark(peers),
                new ContentionBenchmark(peers),
                new ManyLocks(),
                new IdleWaitersBenchmark(),
                new RecoveryBenchmark(),
                new WireBenchmark(),
                new FixedRateBenchmark(peers),
                new DurabilityBenchmark()));
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
                : new BenchmarkRegistry(benchmarks.stream()
                        .filter(benchmark -> ids.contains(benchmark.id()))
                        .toList());
    }

    List<String> ids() {
        return benchmarks.stream().map(Benchmark::id).distinct().toList();
    }

    private void requireKnown(String id) {
        if (!ids().contains(id)) {
            throw new UnusableInputException("no benchmark is named '" + id + "'; there are: "
                    + ids().stream().collect(joining(", ")) + " (see --help)");
        }
    }
}
