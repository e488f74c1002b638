package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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

    // The first part of the paths in a filter, which must all begin with it.
    private static String name(Document filter) {
        Set<String> names = new TreeSet<>();
        filter.keySet().forEach(path -> names.add(FieldPath.of(path).first()));
        String name = names.isEmpty() ? "" : names.iterator().next();
        if (names.size() != 1 || name.startsWith("$")) {
            throw CommandError.unsupported("An array filter with the fields " + names);
        }
        return name;
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
