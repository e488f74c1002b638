package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.query.Equalities;
import org.mongolocks.embedded.internal.query.Filter;

/** The document that an upsert starts with: the equalities of the query. */
public final class UpsertSeed {
    private static final int NOT_EXACT_VALUE_FIELD = 111;

    private UpsertSeed() {}

    /**
     * Makes the document from a filter.
     *
     * @param isReplacement whether only the {@code _id} is taken over
     */
    public static Document of(Filter filter, boolean isReplacement) {
        TreeMap<String, @Nullable Object> values = new TreeMap<>();
        Equalities.in(filter, (path, value) -> {
            if (!isReplacement || path.first().equals("_id")) {
                put(values, path.toString(), value);
            }
        });
        Document seed = new Document();
        if (values.containsKey("_id")) {
            seed.put("_id", values.get("_id"));
        }
        for (Map.Entry<String, @Nullable Object> entry : values.entrySet()) {
            FieldPath path = FieldPath.of(entry.getKey());
            if (isReplacement && path.first().equals("_id") && path.length() > 1) {
                throw new CommandError(
                        NOT_EXACT_VALUE_FIELD,
                        "field at '_id' must be exactly specified, field at sub-path '" + path + "'found");
            }
            if (!isReplacement) {
                set(seed, path, 0, entry.getValue());
            }
        }
        return seed;
    }

    private static void put(Map<String, @Nullable Object> values, String path, @Nullable Object value) {
        if (values.containsKey(path)) {
            throw notSingle("cannot infer query fields to set, path '" + path + "' is matched twice");
        }
        for (String other : values.keySet()) {
            if (other.startsWith(path + '.') || path.startsWith(other + '.')) {
                throw notSingle(
                        "cannot infer query fields to set, both paths '" + path + "' and '" + other + "' are matched");
            }
        }
        values.put(path, value);
    }

    private static CommandError notSingle(String message) {
        return new CommandError(ErrorCode.NOT_SINGLE_VALUE_FIELD, message);
    }

    // The seed is still private to its maker, so it may change in place.
    private static void set(Document document, FieldPath path, int depth, @Nullable Object value) {
        if (path.isLast(depth)) {
            document.put(path.part(depth), value);
            return;
        }
        Object inner = document.computeIfAbsent(path.part(depth), name -> new Document());
        set((Document) inner, path, depth + 1, value);
    }
}
