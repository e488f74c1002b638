package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;

/** The array filters of an update, by name, and which of them its paths use. */
final class ArrayFilters {
    private final Map<String, Filter> filters;
    private final Set<String> used = new HashSet<>();

    private ArrayFilters(Map<String, Filter> filters) {
        this.filters = filters;
    }

    static ArrayFilters none() {
        return new ArrayFilters(new TreeMap<>());
    }

    static ArrayFilters parse(Collection<?> documents, Scope scope) {
        Map<String, Filter> filters = new TreeMap<>();
        for (Object document : documents) {
            if (!(document instanceof Document filter)) {
                throw CommandError.typeMismatch("arrayFilters must be an array of objects");
            }
            String name = name(filter);
            if (filters.put(name, FilterParser.parse(filter, scope)) != null) {
                throw CommandError.failedToParse(
                        "Found multiple array filters with the same top-level field name " + name);
            }
        }
        return new ArrayFilters(filters);
    }

    private static String name(Document filter) {
        Set<String> names = new TreeSet<>();
        collectNames(filter, names);
        if (names.isEmpty()) {
            throw CommandError.failedToParse("Cannot use an expression without a top-level field name in arrayFilters");
        }
        if (names.size() > 1) {
            throw CommandError.failedToParse(
                    "Error parsing array filter :: caused by :: Expected a single top-level field name," + " found "
                            + names);
        }
        String name = names.iterator().next();
        if (!name.matches("[a-z][a-zA-Z0-9]*")) {
            throw CommandError.badValue("Error parsing array filter :: caused by :: The top-level field name must be an"
                    + " alphanumeric string beginning with a lowercase letter, found '" + name + "'");
        }
        return name;
    }

    private static void collectNames(Document filter, Set<String> names) {
        filter.forEach((key, value) -> {
            if (!key.startsWith("$")) {
                names.add(FieldPath.of(key).first());
            } else if (value instanceof List<?> parts) {
                for (Object part : parts) {
                    collectNamesOf(part, names);
                }
            }
        });
    }

    private static void collectNamesOf(@Nullable Object part, Set<String> names) {
        if (part instanceof Document filter) {
            collectNames(filter, names);
        }
    }

    /** Notes that a path uses a filter, which must exist. */
    void use(String name, String path) {
        if (!name.isEmpty() && !filters.containsKey(name)) {
            throw CommandError.badValue("No array filter found for identifier '" + name + "' in path '" + path + "'");
        }
        used.add(name);
    }

    Map<String, Filter> byName() {
        return new HashMap<>(filters);
    }

    void checkAllUsed() {
        for (String name : filters.keySet()) {
            if (!used.contains(name)) {
                throw CommandError.failedToParse(
                        "The array filter for identifier '" + name + "' was not used in the update");
            }
        }
    }
}
