package org.mongolocks.benchmarks;

import static java.util.stream.Collectors.joining;

import java.util.List;
import org.mongolocks.benchmarks.console.UnusableInputException;
import org.mongolocks.benchmarks.harness.Contention;
import org.mongolocks.benchmarks.harness.HandOff;
import org.mongolocks.benchmarks.harness.IdleWaiters;
import org.mongolocks.benchmarks.harness.OpenLoop;
import org.mongolocks.benchmarks.harness.PeerCosts;
import org.mongolocks.benchmarks.harness.PeerCosts.Operation;
import org.mongolocks.benchmarks.harness.Recovery;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.peer.Peers;
import org.mongolocks.benchmarks.race.Floors;
import org.mongolocks.benchmarks.race.ManyLocks;
import org.mongolocks.benchmarks.race.Races;
import org.mongolocks.benchmarks.race.Renewal;
import org.mongolocks.benchmarks.race.Uncontended;
import org.mongolocks.benchmarks.race.Wire;

/**
 * The registry of all benchmarks. A new benchmark is added here.
 *
 * @param benchmarks the benchmarks, in execution order
 */
record Programme(List<Benchmark> benchmarks) {
    Programme {
        benchmarks = List.copyOf(benchmarks);
    }

    /** Returns all benchmarks; some of them include the locks of other libraries. */
    static Programme all(Peers peers) {
        return new Programme(List.of(
                new Uncontended(),
                new PeerCosts(peers, Operation.ACQUIRE_AND_RELEASE),
                Races.denied(),
                new PeerCosts(peers, Operation.DENIED),
                Races.reentered(),
                new Renewal(),
                new HandOff(peers),
                new Contention(peers),
                new ManyLocks(),
                new IdleWaiters(),
                new Recovery(),
                new Wire(),
                new OpenLoop(peers),
                new Floors()));
    }

    /**
     * Returns the benchmarks with these ids, in execution order; all if no id is given.
     *
     * @throws UnusableInputException if an id is unknown
     */
    Programme only(List<String> ids) {
        ids.forEach(this::requireKnown);
        return ids.isEmpty()
                ? this
                : new Programme(benchmarks.stream()
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
