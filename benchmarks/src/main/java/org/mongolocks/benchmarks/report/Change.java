package org.mongolocks.benchmarks.report;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.Document;
import org.mongolocks.benchmarks.result.Metric;

/**
 * Is how a measurement differs from the same one of an earlier run: its ratio to the floor if it has one, because the floor
 * takes the machine out of it, otherwise its value.
 *
 * @param what which measurement
 * @param unit of the numbers
 * @param before the number then
 * @param now the number now
 * @param timedIn the benchmark, if the number depends on what else the machine did
 */
record Change(String what, String unit, Document before, Document now, Optional<String> timedIn) {
    private static final List<String> KEY = List.of("benchmark", "metric", "contender", "client", "parameters");
    /** What was measured once has no interval to go by. */
    private static final double MUCH = 0.1;

    /** Compares two of the same key. */
    static Change of(Document before, Document now) {
        Optional<Document> ratioBefore = ratio(before);
        Optional<Document> ratioNow = ratio(now);
        return ratioBefore.isPresent() && ratioNow.isPresent()
                ? new Change(
                        title(now),
                        "x " + ratioNow.get().getString("to"),
                        ratioBefore.get(),
                        ratioNow.get(),
                        timedIn(now))
                : new Change(title(now), now.getString("unit"), before, now, timedIn(now));
    }

    /** Tells what makes two measurements the same. */
    static List<Object> key(Document measurement) {
        return KEY.stream().map(field -> measurement.get(field, Object.class)).toList();
    }

    /** Gives how much larger the number is now, as a fraction. */
    double growth() {
        return value(now) / value(before) - 1;
    }

    /** Tells whether the intervals have nothing in common; without intervals, whether it is more than a tenth. */
    boolean exceedsNoise() {
        if (hasInterval(before) && hasInterval(now)) {
            return number(now, "low") > number(before, "high") || number(now, "high") < number(before, "low");
        }
        return Math.abs(growth()) > MUCH;
    }

    /** Tells whether it is a number of one of the benchmarks in which a floor drifted, and depends on that. */
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
