package org.mongolocks.benchmarks.race;

import static java.util.Comparator.comparingDouble;

import java.util.Arrays;
import java.util.Collection;
import java.util.Optional;
import org.mongolocks.benchmarks.measure.Quartiles;
import org.mongolocks.benchmarks.result.MeasurementKey;
import org.mongolocks.benchmarks.result.RunResults.BaselineDrift;
import org.mongolocks.benchmarks.result.RunSummary;

/** The check whether the baselines of a run drifted so far that small differences are not significant. */
final class DriftCheck {
    private DriftCheck() {}

    /** Returns the baseline with the highest drift, if that is too high. */
    static Optional<BaselineDrift> of(Collection<MeasuredOperation> lanes, InterleavedSamples laps) {
        return lanes.stream()
                .flatMap(lane -> lane.floor().stream())
                .distinct()
                .map(floor -> drift(floor.subject(), drift(floor, laps)))
                .max(comparingDouble(BaselineDrift::value))
                .filter(drift -> drift.value() > RunSummary.NOISY);
    }

    private static BaselineDrift drift(MeasurementKey floor, double value) {
        return new BaselineDrift(floor.benchmark(), floor.contender(), floor.client(), value);
    }

    /** Returns the drift of a baseline, or zero if it never ran. */
    private static double drift(MeasuredOperation floor, InterleavedSamples laps) {
        double[] medians = laps.values(floor, Sample::p50Nanos);
        return medians.length == 0 ? 0 : Quartiles.of(Arrays.stream(medians)).drift();
    }
}
