package org.mongolocks.benchmarks;

import static java.util.stream.Collectors.joining;

import java.util.List;
import org.mongolocks.benchmarks.console.UnusableInputException;
import org.mongolocks.benchmarks.harness.ContentionBenchmark;
import org.mongolocks.benchmarks.harness.FixedRateBenchmark;
import org.mongolocks.benchmarks.harness.HandOffBenchmark;
import org.mongolocks.benchmarks.harness.IdleWaitersBenchmark;
import org.mongolocks.benchmarks.harness.OtherLibraryCosts;
import org.mongolocks.benchmarks.harness.OtherLibraryCosts.Operation;
import org.mongolocks.benchmarks.harness.RecoveryBenchmark;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.peer.OtherLibraries;
import org.mongolocks.benchmarks.race.DeniedLatency;
import org.mongolocks.benchmarks.race.DurabilityBenchmark;
import org.mongolocks.benchmarks.race.ManyLocks;
import org.mongolocks.benchmarks.race.ReentrantLatency;
import org.mongolocks.benchmarks.race.RenewalLatency;
import org.mongolocks.benchmarks.race.UncontendedLatency;
import org.mongolocks.benchmarks.race.WireBenchmark;

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
