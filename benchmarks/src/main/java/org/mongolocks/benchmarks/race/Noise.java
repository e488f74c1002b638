package org.mongolocks.benchmarks.race;

import static org.mongolocks.benchmarks.measure.FloorRatio.NOISY;

import java.util.Arrays;
import java.util.Collection;
import java.util.Locale;
import java.util.Optional;
import org.mongolocks.benchmarks.measure.Quartiles;

/** Says whether the floors of a race drifted so far that small differences mean nothing. */
final class Noise {
    private Noise() {}

    /** Gives a remark for the floor that drifted furthest, if that is far. */
    static Optional<String> remark(Collection<Lane> lanes, Laps laps) {
        return lanes.stream()
                .flatMap(lane -> lane.floor().stream())
                .distinct()
                .max((one, other) -> Double.compare(drift(one, laps), drift(other, laps)))
                .filter(floor -> drift(floor, laps) > NOISY)
                .map(floor -> String.format(
                        Locale.ROOT,
                        "Noisy: in %s the floor drifted by %.0f %%; take small differences with care.",
                        floor.subject().benchmark(),
                        100 * drift(floor, laps)));
    }

    /** Tells how much larger the upper quartile of its turns was than the lower, as a fraction. */
    private static double drift(Lane floor, Laps laps) {
        double[] medians = laps.values(floor, Turn::p50Nanos);
        if (medians.length == 0) {
            return 0;
        }
        Quartiles quartiles = Quartiles.of(Arrays.stream(medians));
        return quartiles.upper() / quartiles.lower() - 1;
    }
}
