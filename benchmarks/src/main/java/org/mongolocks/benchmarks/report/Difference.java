package org.mongolocks.benchmarks.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.mongolocks.benchmarks.result.Estimate;
import org.mongolocks.benchmarks.result.Estimate.Interval;
import org.mongolocks.benchmarks.result.Measurement;

/**
 * The difference between a measurement and the same measurement of an earlier run. It compares the ratios to the
 * baseline if both have one, because a ratio is largely independent of the machine, otherwise the values.
 *
 * @param measurement the current measurement
 */
record Difference(Measurement measurement, String unit, Estimate before, Estimate now) {
    /** The threshold for values without an interval. */
    private static final double THRESHOLD = 0.1;

    /** Compares two measurements with the same key. */
    static Difference of(Measurement before, Measurement now) {
        return before.ratio().isPresent() && now.ratio().isPresent()
                ? new Difference(
                        now,
                        "x " + now.ratio().get().to(),
                        before.ratio().get().times(),
                        now.ratio().get().times())
                : new Difference(now, now.metric().unit(), before.value(), now.value());
    }

    /** Returns what identifies a measurement. */
    static List<Object> key(Measurement measurement) {
        return List.of(measurement.subject(), measurement.metric().name());
    }

    /** Returns the measurement in words. */
    String what() {
        List<String> words = new ArrayList<>(List.of(
                measurement.subject().benchmark(),
                measurement.subject().contender(),
                measurement.subject().client().id(),
                measurement.metric().name()));
        measurement.subject().parameters().forEach((name, value) -> words.add(name + " " + value));
        return String.join(" ", words);
    }

    /** Returns the relative growth of the number, as a fraction. */
    double growth() {
        return now.value() / before.value() - 1;
    }

    /** Returns whether the intervals do not overlap; without intervals, whether the difference exceeds a tenth. */
    boolean exceedsNoise() {
        if (before.interval().isEmpty() || now.interval().isEmpty()) {
            return Math.abs(growth()) > THRESHOLD;
        }
        Interval earlier = before.interval().get();
        Interval later = now.interval().get();
        return later.low() > earlier.high() || later.high() < earlier.low();
    }

    /** Returns whether the number is a time from one of these benchmarks, in which a baseline drifted. */
    boolean isIn(Set<String> noisy) {
        return measurement.metric().isTimed()
                && noisy.contains(measurement.subject().benchmark());
    }
}
