package org.mongolocks.benchmarks.result;

import java.util.Collections;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Is what was measured, and how.
 *
 * @param benchmark the id of the benchmark, such as {@code B1}
 * @param contender the id of the contender
 * @param client through which client
 * @param parameters what else was chosen, numbers and strings by name, such as how many waited
 */
public record Subject(String benchmark, String contender, Client client, SortedMap<String, Object> parameters) {
    public Subject {
        parameters.values().forEach(Subject::requireFlat);
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }

    /** Gives a subject without parameters. */
    public static Subject of(String benchmark, String contender, Client client) {
        return new Subject(benchmark, contender, client, Collections.emptySortedMap());
    }

    /** Gives the same with a parameter, a number or a string. */
    public Subject with(String parameter, Object value) {
        SortedMap<String, Object> more = new TreeMap<>(parameters);
        more.putAll(Map.of(parameter, value));
        return new Subject(benchmark, contender, client, more);
    }

    private static void requireFlat(Object value) {
        if (!(value instanceof Number) && !(value instanceof String)) {
            throw new IllegalArgumentException("A parameter is a number or a string, not " + value);
        }
    }
}
