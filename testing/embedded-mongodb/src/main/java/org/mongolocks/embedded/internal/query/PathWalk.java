package org.mongolocks.embedded.internal.query;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.Values;

/** Finds a value at a path that passes a test, looking through arrays on the way as MongoDB does. */
final class PathWalk {
    private final FieldPath path;
    private final ValueTest test;

    PathWalk(FieldPath path, ValueTest test) {
        this.path = path;
        this.test = test;
    }

    boolean from(Document document) {
        return inDocument(document, 0);
    }

    private boolean inDocument(Document document, int depth) {
        Object value = document.getOrMissing(path.part(depth));
        return path.isLast(depth) ? atEnd(value) : below(value, depth + 1);
    }

    private boolean below(@Nullable Object value, int depth) {
        if (value instanceof Document document) {
            return inDocument(document, depth);
        }
        // Past a scalar there is nothing, and that nothing is what a test for null finds.
        return value instanceof List ? inArray((List<?>) value, depth) : test.test(Values.MISSING);
    }

    private boolean inArray(List<?> array, int depth) {
        int wanted = FieldPath.arrayIndex(path.part(depth));
        for (int i = 0; i < array.size(); i++) {
            Object element = array.get(i);
            if (element instanceof Document document && inDocument(document, depth)) {
                return true;
            }
            // An index that the path names is no choice that was made here.
            if (i == wanted && atIndex(element, depth)) {
                return true;
            }
        }
        return false;
    }

    private boolean atIndex(@Nullable Object element, int depth) {
        if (path.isLast(depth)) {
            return atEnd(element);
        }
        return (element instanceof Document || element instanceof List) && below(element, depth + 1);
    }

    private boolean atEnd(@Nullable Object value) {
        if (value instanceof List && test.appliesToArrayElements() && anyOf((List<?>) value)) {
            return true;
        }
        return test.test(value);
    }

    private boolean anyOf(List<?> array) {
        for (int i = 0; i < array.size(); i++) {
            if (test.test(array.get(i))) {
                return true;
            }
        }
        return false;
    }
}
