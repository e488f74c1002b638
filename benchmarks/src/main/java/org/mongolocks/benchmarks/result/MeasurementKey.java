package org.mongolocks.benchmarks.result;

import java.util.Collections;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The key of a measurement.
 *
 * @param benchmark the id of the benchmark, such as {@code B1}
 * @param contender the id of the contender
 * @param client the client
 * @param parameters further parameters by name, numbers and strings, such as the number of waiters
 */
public record MeasurementKey(String benchmark, String contender, Client client, SortedMap<String, Object> parameters) {
    public MeasurementKey {
        Objects.requireNonNull(benchmark, "The benchmark is null");
        Objects.requireNonNull(contender, "The contender is null");
        Objects.requireNonNull(client, "The client is null");
        parameters.values().forEach(MeasurementKey::requireFlat);
        parameters = Collections.unmodifiableSortedMap(new TreeMap<>(parameters));
    }

    /** Returns a key without parameters. */
    public static MeasurementKey of(String benchmark, String contender, Client client) {
        return new MeasurementKey(benchmark, contender, client, Collections.emptySortedMap());
    }

    /** Returns a copy with a parameter, a number or a string. */
    public MeasurementKey with(String parameter, Object value) {
        SortedMap<String, Object> more = new TreeMap<>(parameters);
        more.putAll(Map.of(parameter, value));
        return new MeasurementKey(benchmark, contender, client, more);
    }

    private static void requireFlat(Object value) {
        if (!(value instanceof Number) && !(value instanceof String)) {
            throw new IllegalArgumentException("A parameter must be a number or a string, was " + value);
        }
    }
}
