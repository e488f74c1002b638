package org.mongolocks.embedded.internal.query;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.Values;

/** Finds a value at a path that passes a test, which may be an element of an array at its end. */
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
        if (value instanceof List) {
            throw FieldPath.throughArray(path);
        }
        // Past a scalar there is nothing, and that nothing is what a test for null finds.
        return test.test(Values.MISSING);
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
