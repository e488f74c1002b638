package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map.Entry;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.update.UpdateNode.FieldPosition;

/**
 * {@code $push}, with its clauses.
 *
 * @param position where to insert, null for the end
 * @param order how to sort afterwards, null for not at all
 * @param slice how many to keep, from the end if negative, null for all
 */
record PushModifier(
        List<?> values,
        @Nullable Long position,
        @Nullable Comparator<@Nullable Object> order,
        @Nullable Long slice) implements Modifier {
    private static final Set<String> CLAUSES = Set.of("$each", "$slice", "$sort", "$position");

    static PushModifier of(@Nullable Object argument) {
        if (!(argument instanceof Document clauses) || !clauses.containsKey("$each")) {
            return new PushModifier(Collections.singletonList(argument), null, null, null);
        }
        for (String clause : clauses.keySet()) {
            if (!CLAUSES.contains(clause)) {
                throw CommandError.badValue("Unrecognized clause in $push: " + clause);
            }
        }
        if (!(clauses.get("$each") instanceof List<?> values)) {
            throw CommandError.badValue("The argument to $each in $push must be an array but it was of type: "
                    + BsonKind.nameOf(clauses.get("$each")));
        }
        Comparator<@Nullable Object> order = clauses.containsKey("$sort") ? order(clauses.get("$sort")) : null;
        return new PushModifier(values, whole(clauses, "$position"), order, whole(clauses, "$slice"));
    }

    private static @Nullable Long whole(Document clauses, String clause) {
        if (!clauses.containsKey(clause)) {
            return null;
        }
        Object value = clauses.get(clause);
        if (value instanceof Number number && number.doubleValue() == Math.rint(number.doubleValue())) {
            return Numbers.whole(number);
        }
        throw CommandError.badValue(
                "The value for " + clause + " must be an integer value but was given type: " + BsonKind.nameOf(value));
    }

    @Override
    public Object apply(@Nullable Object current, FieldPosition at) {
        List<@Nullable Object> array = new ArrayList<>();
        if (current instanceof List<?> existing) {
            array.addAll(existing);
        } else if (!Values.isMissing(current)) {
            throw CommandError.badValue("The field '" + at.path() + "' must be an array but is of type "
                    + BsonKind.nameOf(current) + " in document " + at.document());
        }
        array.addAll(insertAt(array.size()), values);
        if (order != null) {
            array.sort(order);
        }
        return sliced(array);
    }

    private int insertAt(int size) {
        if (position == null || position > size) {
            return size;
        }
        return (int) (position >= 0 ? position : Math.max(0, size + position));
    }

    private List<@Nullable Object> sliced(List<@Nullable Object> array) {
        if (slice == null || Math.abs(slice) >= array.size()) {
            return array;
        }
        int kept = (int) Math.abs(slice);
        return new ArrayList<>(slice >= 0 ? array.subList(0, kept) : array.subList(array.size() - kept, array.size()));
    }

    @Override
    public void log(@Nullable Object before, @Nullable Object after, FieldPosition at) {
        if (before instanceof List<?> old && after instanceof List<?> fresh && isAppend(old, fresh)) {
            int index = old.size();
            for (Object value : values) {
                at.log().put(at.path() + '.' + index++, value);
            }
        } else {
            at.log().put(at.path(), after);
        }
    }

    // Appended elements are logged one by one.
    private boolean isAppend(List<?> old, List<?> fresh) {
        return !old.isEmpty()
                && order == null
                && (position == null || position > old.size())
                && fresh.size() == old.size() + values.size();
    }

    // Of whole elements, or of fields of embedded documents.
    private static Comparator<@Nullable Object> order(@Nullable Object clause) {
        if (clause instanceof Number) {
            return directed(ValueOrder.COMPARATOR, direction(clause));
        }
        if (!(clause instanceof Document pattern)) {
            throw CommandError.badValue("The $sort is invalid: use 1/-1 to sort the whole element, "
                    + "or {field:1/-1} to sort embedded fields");
        }
        Comparator<@Nullable Object> order = null;
        for (Entry<String, Object> field : pattern.entrySet()) {
            FieldPath path = checkedPath(field.getKey());
            Comparator<@Nullable Object> byField = (a, b) -> ValueOrder.compare(at(path, a), at(path, b));
            Comparator<@Nullable Object> next = directed(byField, direction(field.getValue()));
            order = order == null ? next : order.thenComparing(next);
        }
        if (order == null) {
            throw CommandError.badValue("The $sort pattern is empty when it should be a set of fields.");
        }
        return order;
    }

    private static FieldPath checkedPath(String text) {
        FieldPath path = FieldPath.of(text);
        for (int i = 0; i < path.length(); i++) {
            if (path.part(i).isEmpty()) {
                throw CommandError.badValue("The $sort field is a dotted field but has an empty part: " + text);
            }
        }
        return path;
    }

    private static int direction(@Nullable Object value) {
        if (value instanceof Number number && Math.abs(number.doubleValue()) == 1) {
            return Numbers.wholeInt(number);
        }
        throw CommandError.badValue("The $sort element value must be either 1 or -1");
    }

    private static Comparator<@Nullable Object> directed(Comparator<@Nullable Object> order, int direction) {
        return direction > 0 ? order : (a, b) -> order.compare(b, a);
    }

    private static @Nullable Object at(FieldPath path, @Nullable Object element) {
        return element instanceof Document document ? Values.toNull(path.in(document)) : null;
    }
}
