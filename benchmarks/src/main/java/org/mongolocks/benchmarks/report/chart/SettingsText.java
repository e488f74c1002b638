package org.mongolocks.benchmarks.report.chart;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.mongolocks.benchmarks.result.Measurement;

/** The text of the parameters of a measurement. */
public final class SettingsText {
    private static final Map<String, String> UNITS =
            Map.of("Millis", "ms", "Seconds", "s", "PerSecond", "a second", "Bytes", "B");

    private SettingsText() {}

    public static String words(Map<String, Object> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> words(entry.getKey(), value(entry.getValue())))
                .collect(Collectors.joining(", "));
    }

    public static String value(Object value) {
        return value instanceof Number number ? QuantityFormat.plain(number.doubleValue(), 2) : value.toString();
    }

    /** Formats a parameter. The suffix of its name is the unit, if it has one. */
    private static String words(String name, String value) {
        for (Map.Entry<String, String> unit : UNITS.entrySet()) {
            if (name.endsWith(unit.getKey())) {
                String base = name.substring(0, name.length() - unit.getKey().length());
                return ChartHeading.words(base) + " " + value + " " + unit.getValue();
            }
        }
        return ChartHeading.words(name) + " " + value;
    }

    /** Returns the names of all parameters. */
    public static List<String> names(Collection<Measurement> measurements) {
        Set<String> names = new TreeSet<>();
        measurements.forEach(one -> names.addAll(one.subject().parameters().keySet()));
        return List.copyOf(names);
    }

    /** Returns the parameters that distinguish a measurement from the others in the same chart. */
    public static Map<String, Object> telling(Measurement one, Collection<Measurement> beside) {
        Map<String, Object> telling = new TreeMap<>(one.subject().parameters());
        telling.keySet().removeIf(name -> isShared(name, beside));
        return telling;
    }

    private static boolean isShared(String name, Collection<Measurement> measurements) {
        return measurements.stream()
                        .map(one -> one.subject().parameters().get(name))
                        .filter(value -> value != null)
                        .distinct()
                        .count()
                < 2;
    }
}
