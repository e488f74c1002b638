package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.Document;
import java.util.Collection;
import java.util.Iterator;
import java.util.Map.Entry;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Whether two values would be the same bytes of BSON: same types, same field order. This is what makes an update a no-op. */
public final class SameBytes {
    private SameBytes() {}

    public static boolean test(@Nullable Object a, @Nullable Object b) {
        if (a == b) {
            return true;
        }
        if (a instanceof Document x && b instanceof Document y) {
            return testDocuments(x, y);
        }
        if (a instanceof Collection<?> x && b instanceof Collection<?> y) {
            return testArrays(x, y);
        }
        return a instanceof BsonRegularExpression ? ValueOrder.same(a, b) : Objects.equals(a, b);
    }

    private static boolean testDocuments(Document a, Document b) {
        if (a.size() != b.size()) {
            return false;
        }
        Iterator<Entry<String, Object>> others = b.entrySet().iterator();
        for (Entry<String, Object> entry : a.entrySet()) {
            Entry<String, Object> other = others.next();
            if (!entry.getKey().equals(other.getKey()) || !test(entry.getValue(), other.getValue())) {
                return false;
            }
        }
        return true;
    }

    private static boolean testArrays(Collection<?> a, Collection<?> b) {
        if (a.size() != b.size()) {
            return false;
        }
        Iterator<?> others = b.iterator();
        for (Object element : a) {
            if (!test(element, others.next())) {
                return false;
            }
        }
        return true;
    }
}
