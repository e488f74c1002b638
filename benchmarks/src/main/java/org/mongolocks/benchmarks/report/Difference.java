package org.mongolocks.benchmarks.report;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.Document;
import org.mongolocks.benchmarks.result.Metric;

/**
 * The difference between a measurement and the same measurement of an earlier run. It compares the ratios to the
 * baseline if both have one, because a ratio is largely independent of the machine, otherwise the values.
 *
 * @param what the measurement, in words
 * @param now the current number
 * @param timedIn the benchmark, if the number depends on other load on the machine
 */
record Difference(String what, String unit, Document before, Document now, Optional<String> timedIn) {
    private static final List<String> KEY = List.of("benchmark", "metric", "contender", "client", "parameters");
    /** The threshold for values without an interval. */
    private static final double THRESHOLD = 0.1;

    /** Compares two measurements with the same key. */
    static Difference of(Document before, Document now) {
        Optional<Document> ratioBefore = ratio(before);
        Optional<Document> ratioNow = ratio(now);
        return ratioBefore.isPresent() && ratioNow.isPresent()
                ? new Difference(
                        title(now),
                        "x " + ratioNow.get().getString("to"),
                        ratioBefore.get(),
                        ratioNow.get(),
                        timedIn(now))
                : new Difference(title(now), now.getString("unit"), before, now, timedIn(now));
    }

    /** Returns the fields that identify a measurement. */
    static List<Object> key(Document measurement) {
        return KEY.stream().map(field -> measurement.get(field, Object.class)).toList();
    }

    /** Returns the relative growth of the number, as a fraction. */
    double growth() {
        return value(now) / value(before) - 1;
    }

    /** Returns whether the intervals do not overlap; without intervals, whether the difference exceeds a tenth. */
    boolean exceedsNoise() {
        if (hasInterval(before) && hasInterval(now)) {
            return number(now, "low") > number(before, "high") || number(now, "high") < number(before, "low");
        }
        return Math.abs(growth()) > THRESHOLD;
    }

    /** Returns whether the number is a time from one of these benchmarks, in which a baseline drifted. */
    boolean isIn(Set<String> noisy) {
        return timedIn.filter(noisy::contains).isPresent();
    }

    static double value(Document measurement) {
        return number(measurement, "value");
    }

    private static Optional<String> timedIn(Document measurement) {
        return Optional.of(measurement)
                .filter(one -> new Metric(one.getString("metric"), one.getString("unit")).isTimed())
                .map(one -> one.getString("benchmark"));
    }

    private static String title(Document measurement) {
        Stream<String> parameters = measurement.get("parameters", Document.class).entrySet().stream()
                .map(parameter -> parameter.getKey() + " " + parameter.getValue());
        Stream<String> names =
                Stream.of("benchmark", "contender", "client", "metric").map(measurement::getString);
        return String.join(" ", Stream.concat(names, parameters).toList());
    }

    private static Optional<Document> ratio(Document measurement) {
        return Optional.ofNullable(measurement.get("ratio", Document.class));
    }

    private static boolean hasInterval(Document measurement) {
        return measurement.containsKey("low");
    }

    private static double number(Document measurement, String field) {
        return measurement.get(field, Number.class).doubleValue();
    }
}
