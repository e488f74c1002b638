package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The values that a document has at a path, as indexes and sorts see them: one for each element of an array on the way. */
public final class PathValues {
    private final FieldPath path;
    private final List<@Nullable Object> values = new ArrayList<>(1);
    private boolean isMultiple;

    private PathValues(FieldPath path) {
        this.path = path;
    }

    /** Collects the values: null where nothing is, and missing for an empty array, which sorts before null. */
    public static PathValues of(Document document, FieldPath path) {
        PathValues values = new PathValues(path);
        values.collect(document, 0);
        return values;
    }

    public List<@Nullable Object> values() {
        return values;
    }

    /** Whether an array is on the path or at its end. */
    public boolean isMultiple() {
        return isMultiple;
    }

    private void collect(@Nullable Object value, int depth) {
        if (depth == path.length()) {
            collectEnd(value);
        } else if (value instanceof Document document) {
            collect(document.getOrMissing(path.part(depth)), depth + 1);
        } else if (value instanceof List<?> array) {
            collectElements(array, depth);
        } else {
            values.add(null);
        }
    }

    private void collectEnd(@Nullable Object value) {
        if (!(value instanceof List<?> array)) {
            values.add(Absence.toNull(value));
            return;
        }
        isMultiple = true;
        if (array.isEmpty()) {
            values.add(Absence.MISSING);
        }
        values.addAll(array);
    }

    private void collectElements(List<?> array, int depth) {
        isMultiple = true;
        int index = FieldPath.arrayIndex(path.part(depth));
        if (index >= 0 && index < array.size()) {
            collect(array.get(index), depth + 1);
            return;
        }
        for (Object element : array) {
            if (element instanceof Document) {
                collect(element, depth);
            } else {
                values.add(null);
            }
        }
        if (array.isEmpty()) {
            values.add(null);
        }
    }
}
