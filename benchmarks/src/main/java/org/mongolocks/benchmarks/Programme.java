package org.mongolocks.benchmarks;

import static java.util.stream.Collectors.joining;

import java.util.List;
import org.mongolocks.benchmarks.console.UnusableInputException;
import org.mongolocks.benchmarks.measure.Benchmark;
import org.mongolocks.benchmarks.race.Floors;
import org.mongolocks.benchmarks.race.ManyLocks;
import org.mongolocks.benchmarks.race.Races;
import org.mongolocks.benchmarks.race.Renewal;
import org.mongolocks.benchmarks.race.Uncontended;
import org.mongolocks.benchmarks.race.Wire;

/**
 * Has the benchmarks that can be run: a new one registers here.
 *
 * @param benchmarks the benchmarks, in the order in which they run
 */
record Programme(List<Benchmark> benchmarks) {
    Programme {
        benchmarks = List.copyOf(benchmarks);
    }

    /** Gives all. */
    static Programme all() {
        return new Programme(List.of(
                new Uncontended(),
                Races.denied(),
                Races.reentered(),
                new Renewal(),
                new ManyLocks(),
                new Wire(),
                new Floors()));
    }

    /**
     * Gives those that were asked for, in the order in which they run; all if none was.
     *
     * @throws UnusableInputException if one is not there
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
        return benchmarks.stream().map(Benchmark::id).toList();
    }

    private void requireKnown(String id) {
        if (!ids().contains(id)) {
            throw new UnusableInputException("no benchmark is named '" + id + "'; there are: "
                    + ids().stream().collect(joining(", ")) + " (see --help)");
        }
    }
}
