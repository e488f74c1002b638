package org.mongolocks.benchmarks.page;

import java.util.OptionalDouble;
import java.util.stream.DoubleStream;
import org.mongolocks.benchmarks.result.Estimate.Interval;
import org.mongolocks.benchmarks.result.Measurement;
import org.mongolocks.benchmarks.result.Percentiles;

/**
 * A row of a chart: one contender.
 *
 * @param label its name
 * @param look its style
 * @param words its figures in words
 * @param measurement its figures
 * @param floor the value of its baseline, if that was measured too
 */
record Row(String label, SeriesStyle look, String words, Measurement measurement, OptionalDouble floor) {
    double value() {
        return measurement.value().value();
    }

    /** Returns all values that must fit on the scale. */
    DoubleStream values() {
        DoubleStream ends = measurement.value().interval().stream().flatMapToDouble(Row::both);
        DoubleStream spread = measurement.percentiles().stream().flatMapToDouble(Row::spread);
        return DoubleStream.concat(
                DoubleStream.concat(DoubleStream.of(value()), floor.stream()), DoubleStream.concat(ends, spread));
    }

    private static DoubleStream both(Interval interval) {
        return DoubleStream.of(interval.low(), interval.high());
    }

    private static DoubleStream spread(Percentiles percentiles) {
        return DoubleStream.of((double) percentiles.p50(), (double) percentiles.p999());
    }
}
