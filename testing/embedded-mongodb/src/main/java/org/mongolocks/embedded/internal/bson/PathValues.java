package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.error.CommandError;

/** What a document has at a path, where an array on the way stands for each of its elements. */
public final class PathValues {
    private static final int AMBIGUOUS_PATH = 16746;

    private PathValues() {}

    /** Whether there is anything at a path, if only in one element of an array. */
    public static boolean isPresent(@Nullable Object value, FieldPath path) {
        return isPresent(value, path, 0);
    }

    /** The values that are there at a path; an array at its end counts as its elements. */
    public static List<@Nullable Object> existing(Document document, FieldPath path) {
        List<@Nullable Object> found = new ArrayList<>();
        collectExisting(document, path, 0, found);
        return found;
    }

    private static void collectExisting(
            @Nullable Object value, FieldPath path, int depth, List<@Nullable Object> found) {
        if (depth == path.length() && !Values.isMissing(value)) {
            found.addAll(value instanceof List<?> array ? array : Collections.singletonList(value));
        } else if (value instanceof Document document) {
            collectExisting(document.getOrMissing(path.part(depth)), path, depth + 1, found);
        } else if (value instanceof List<?> array) {
            int index = FieldPath.arrayIndex(path.part(depth));
            if (index < 0) {
                array.forEach(element -> collectExisting(element, path, depth, found));
            } else if (index < array.size()) {
                collectExisting(array.get(index), path, depth + 1, found);
            }
        }
    }

    private static boolean isPresent(@Nullable Object value, FieldPath path, int depth) {
        if (depth == path.length()) {
            return !Values.isMissing(value);
        }
        if (value instanceof Document document) {
            return isPresent(document.getOrMissing(path.part(depth)), path, depth + 1);
        }
        return value instanceof List<?> array && isPresentIn(array, path, depth);
    }

    private static boolean isPresentIn(List<?> array, FieldPath path, int depth) {
        int index = FieldPath.arrayIndex(path.part(depth));
        return index < 0
                ? array.stream().anyMatch(element -> element instanceof Document && isPresent(element, path, depth))
                : index < array.size() && isPresent(array.get(index), path, depth + 1);
    }

    /** Refuses a number in a path that may mean an element of an array as well as a field of its elements. */
    public static void checkUnambiguous(List<?> array, FieldPath path, int depth) {
        for (Object element : array) {
            if (element instanceof Document document && document.containsKey(path.part(depth))) {
                throw new CommandError(
                        AMBIGUOUS_PATH,
                        "Ambiguous field name found in array (do not use numeric field names in embedded elements in an"
                                + " array), field: '" + path.part(depth) + "' for array: " + ShellText.of(array));
            }
        }
    }
}
