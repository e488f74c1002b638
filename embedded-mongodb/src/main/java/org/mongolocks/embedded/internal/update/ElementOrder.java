package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Comparator;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.Collation;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.WholeNumber;

/** The order that a {@code $sort} clause asks for: of whole elements, or of fields of embedded documents. */
final class ElementOrder {
    private ElementOrder() {}

    static Comparator<@Nullable Object> parse(@Nullable Object clause, @Nullable Collation collation) {
        if (clause instanceof Number) {
            return directed(ValueOrder.by(collation), direction(clause));
        }
        if (!(clause instanceof Document pattern)) {
            throw UpdateError.badValue("The $sort is invalid: use 1/-1 to sort the whole element, "
                    + "or {field:1/-1} to sort embedded fields");
        }
        Comparator<@Nullable Object> order = null;
        for (Entry<String, Object> field : pattern.entrySet()) {
            FieldPath path = checkedPath(field.getKey());
            Comparator<@Nullable Object> byField = (a, b) -> ValueOrder.compare(at(path, a), at(path, b), collation);
            Comparator<@Nullable Object> next = directed(byField, direction(field.getValue()));
            order = order == null ? next : order.thenComparing(next);
        }
        if (order == null) {
            throw UpdateError.badValue("The $sort pattern is empty when it should be a set of fields.");
        }
        return order;
    }

    private static FieldPath checkedPath(String text) {
        FieldPath path = FieldPath.of(text);
        for (int i = 0; i < path.length(); i++) {
            if (path.part(i).isEmpty()) {
                throw UpdateError.badValue("The $sort field is a dotted field but has an empty part: " + text);
            }
        }
        return path;
    }

    private static int direction(@Nullable Object value) {
        if (value instanceof Number number && Math.abs(number.doubleValue()) == 1) {
            return WholeNumber.intOf(number);
        }
        throw UpdateError.badValue("The $sort element value must be either 1 or -1");
    }

    private static Comparator<@Nullable Object> directed(Comparator<@Nullable Object> order, int direction) {
        return direction > 0 ? order : (a, b) -> order.compare(b, a);
    }

    private static @Nullable Object at(FieldPath path, @Nullable Object element) {
        return element instanceof Document document ? Absence.toNull(path.in(document)) : null;
    }
}
