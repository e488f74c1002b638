package org.mongolocks.benchmarks.race;

import static java.util.Comparator.comparingDouble;
import static org.mongolocks.benchmarks.measure.FloorRatio.NOISY;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import org.mongolocks.benchmarks.measure.Quartiles;
import org.mongolocks.benchmarks.result.Drift;
import org.mongolocks.benchmarks.result.Subject;

/** The check whether the baselines of a run drifted so far that small differences are not significant. */
final class Noise {
    private Noise() {}

    /** Returns the baseline with the highest drift, if that is too high. */
    static Optional<Drift> of(Collection<Lane> lanes, Laps laps) {
        return lanes.stream()
                .flatMap(lane -> lane.floor().stream())
                .distinct()
                .map(floor -> drift(floor.subject(), drift(floor, laps)))
                .max(comparingDouble(Drift::value))
                .filter(drift -> drift.value() > NOISY);
    }

    private static Drift drift(Subject floor, double value) {
        return new Drift(floor.benchmark(), floor.contender(), floor.client(), value);
    }

    /** Returns the drift of a baseline, or zero if it never ran. */
    private static double drift(Lane floor, Laps laps) {
        double[] medians = laps.values(floor, Turn::p50Nanos);
        return medians.length == 0 ? 0 : Quartiles.of(Arrays.stream(medians)).drift();
    }
}
