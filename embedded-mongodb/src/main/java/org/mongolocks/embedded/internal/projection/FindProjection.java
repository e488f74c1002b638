package org.mongolocks.embedded.internal.projection;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.Truth;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;
import org.mongolocks.embedded.internal.query.MatchDetails;

/** A projection of find and findAndModify, which may also cut arrays: {@code $slice}, {@code $elemMatch} and {@code "a.$"}. */
public final class FindProjection {
    private final Projection fields;
    private final Map<String, ArrayCut> cuts;
    private final @Nullable Filter query;

    private FindProjection(Projection fields, Map<String, ArrayCut> cuts, @Nullable Filter query) {
        this.fields = fields;
        this.cuts = cuts;
        this.query = query;
    }

    /**
     * Reads a projection.
     *
     * @param query the filter of the command, which says what the positional operator means
     */
    public static FindProjection parse(Document specification, Filter query, Scope scope) {
        Document plain = new Document();
        Map<String, ArrayCut> cuts = new LinkedHashMap<>();
        boolean isPositional = false;
        for (Entry<String, Object> entry : specification.entrySet()) {
            String name = entry.getKey();
            Object value = entry.getValue();
            if (name.endsWith(".$") && Truth.of(value)) {
                String array = name.substring(0, name.length() - 2);
                plain.put(array, 1);
                cuts.put(array, new ArrayCut.Matched());
                isPositional = true;
            } else if (value instanceof Document operator && operator.containsKey("$slice") && operator.size() == 1) {
                cuts.put(name, ArrayCut.Slice.parse(operator.get("$slice")));
            } else if (value instanceof Document operator && operator.containsKey("$elemMatch")) {
                plain.put(name, 1);
                cuts.put(name, elemMatch(name, operator, scope));
            } else {
                plain.put(name, value);
            }
        }
        return new FindProjection(fields(plain, cuts), cuts, isPositional ? query : null);
    }

    // A sliced array belongs to an inclusion, and changes nothing about an exclusion.
    private static Projection fields(Document plain, Map<String, ArrayCut> cuts) {
        boolean isInclusion = plain.entrySet().stream()
                .anyMatch(entry -> !entry.getKey().equals("_id") && Truth.of(entry.getValue()));
        if (isInclusion) {
            cuts.keySet().forEach(path -> plain.putIfAbsent(path, 1));
        }
        return ProjectionParser.parse(plain);
    }

    private static ArrayCut elemMatch(String path, Document operator, Scope scope) {
        if (!(operator.get("$elemMatch") instanceof Document)) {
            throw new CommandError(
                    31274, "elemMatch: Invalid argument, object required, but got something else at " + path);
        }
        if (path.indexOf('.') >= 0) {
            throw new CommandError(31275, "Cannot use $elemMatch projection on a nested field.");
        }
        return new ArrayCut.FirstMatching(path, FilterParser.parse(new Document(path, operator), scope));
    }

    public Document apply(Document document, Scope scope) {
        Document result = fields.apply(document, scope);
        Integer matched = query == null ? null : matchedIndex(document);
        for (Entry<String, ArrayCut> cut : cuts.entrySet()) {
            result = cutAt(result, List.of(cut.getKey().split("\\.", -1)), cut.getValue(), matched);
        }
        return result;
    }

    private @Nullable Integer matchedIndex(Document document) {
        MatchDetails details = new MatchDetails();
        if (query != null) {
            query.matches(document, details);
        }
        return details.arrayIndex();
    }

    private static Document cutAt(Document document, List<String> path, ArrayCut cut, @Nullable Integer matched) {
        Object value = document.getOrMissing(path.get(0));
        if (Absence.isMissing(value)) {
            return document;
        }
        Object changed = path.size() == 1 ? cut.apply(value, matched) : cutBelow(value, path, cut, matched);
        Document result = document.clone();
        if (Absence.isMissing(changed)) {
            result.remove(path.get(0));
        } else {
            result.put(path.get(0), changed);
        }
        return result;
    }

    private static @Nullable Object cutBelow(
            @Nullable Object value, List<String> path, ArrayCut cut, @Nullable Integer matched) {
        if (value instanceof Document inner) {
            return cutAt(inner, path.subList(1, path.size()), cut, matched);
        }
        if (!(value instanceof List<?> array)) {
            return value;
        }
        List<@Nullable Object> result = new ArrayList<>();
        for (Object element : array) {
            result.add(cutBelow(element, path, cut, matched));
        }
        return result;
    }
}
