package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.update.UpdateNode.FieldPosition;

/**
 * {@code $push}, with the clauses {@code $each} and {@code $slice}.
 *
 * @param slice how many to keep, from the end if negative, null for all
 */
record PushModifier(List<?> values, @Nullable Long slice) implements Modifier {
    private static final Set<String> CLAUSES = Set.of("$each", "$slice");

    static PushModifier of(@Nullable Object argument) {
        if (!(argument instanceof Document clauses) || !clauses.containsKey("$each")) {
            return new PushModifier(Collections.singletonList(argument), null);
        }
        for (String clause : clauses.keySet()) {
            if (!CLAUSES.contains(clause)) {
                throw CommandError.unsupported("$push with " + clause);
            }
        }
        if (!(clauses.get("$each") instanceof List<?> values)) {
            throw CommandError.badValue("The argument to $each in $push must be an array but it was of type: "
                    + BsonKind.nameOf(clauses.get("$each")));
        }
        return new PushModifier(values, clauses.containsKey("$slice") ? whole(clauses.get("$slice")) : null);
    }

    private static Long whole(@Nullable Object value) {
        if (value instanceof Number number && number.doubleValue() == Math.rint(number.doubleValue())) {
            return Numbers.whole(number);
        }
        throw CommandError.badValue(
                "The value for $slice must be an integer value but was given type: " + BsonKind.nameOf(value));
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
        array.addAll(values);
        return sliced(array);
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
        return !old.isEmpty() && fresh.size() == old.size() + values.size();
    }
}
