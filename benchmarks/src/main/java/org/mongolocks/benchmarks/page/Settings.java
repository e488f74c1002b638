package org.mongolocks.benchmarks.page;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.mongolocks.benchmarks.result.Measurement;

/** Writes what was set for a measurement. */
final class Settings {
    private Settings() {}

    static String words(Map<String, Object> parameters) {
        return parameters.entrySet().stream()
                .map(entry -> Heading.words(entry.getKey()) + " " + value(entry.getValue()))
                .collect(Collectors.joining(", "));
    }

    static String value(Object value) {
        return value instanceof Number number ? Quantity.number(number.doubleValue()) : value.toString();
    }

    /** Gives the names of all parameters. */
    static List<String> names(Collection<Measurement> measurements) {
        Set<String> names = new TreeSet<>();
        measurements.forEach(one -> names.addAll(one.subject().parameters().keySet()));
        return List.copyOf(names);
    }

    /** Gives what tells the settings of one measurement from those of others that stand beside it. */
    static Map<String, Object> telling(Measurement one, Collection<Measurement> beside) {
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
