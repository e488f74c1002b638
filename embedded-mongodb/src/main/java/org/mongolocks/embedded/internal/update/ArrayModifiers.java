package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Collation;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.ValueOrder;

/** The operators that add single elements to arrays or take them away. */
final class ArrayModifiers {
    private ArrayModifiers() {}

    /** {@code $addToSet}. */
    record AddToSet(List<?> values, @Nullable Collation collation) implements Modifier {
        static AddToSet of(@Nullable Object argument, @Nullable Collation collation) {
            if (!(argument instanceof Document clauses) || !firstKeyIs(clauses, "$each")) {
                return new AddToSet(Collections.singletonList(argument), collation);
            }
            if (!(clauses.get("$each") instanceof List<?> values)) {
                throw UpdateError.wrongType("The argument to $each in $addToSet must be an array but it was of type "
                        + BsonKind.of(clauses.get("$each")).alias());
            }
            if (clauses.size() > 1) {
                throw UpdateError.badValue(
                        "Found unexpected fields after $each in $addToSet: " + ShellText.of(clauses));
            }
            return new AddToSet(values, collation);
        }

        private static boolean firstKeyIs(Document document, String name) {
            return !document.isEmpty() && document.keySet().iterator().next().equals(name);
        }

        @Override
        public Object apply(@Nullable Object current, FieldPosition at) {
            List<@Nullable Object> array = new ArrayList<>();
            if (current instanceof List<?> existing) {
                array.addAll(existing);
            } else if (!Absence.isMissing(current)) {
                throw UpdateError.badValue("Cannot apply $addToSet to non-array field. Field named '" + at.lastPart()
                        + "' has non-array type " + BsonKind.of(current).alias());
            }
            for (Object value : values) {
                if (array.stream().noneMatch(element -> ValueOrder.same(element, value, collation))) {
                    array.add(value);
                }
            }
            return array;
        }
    }

    /** {@code $pop}. */
    record Pop(boolean isFirst) implements Modifier {
        static Pop of(String path, @Nullable Object argument) {
            if (!(argument instanceof Number end)) {
                throw UpdateError.unparsed("Expected a number in: " + ShellText.field(path, argument));
            }
            if (Math.abs(end.doubleValue()) != 1) {
                throw UpdateError.unparsed("$pop expects 1 or -1, found: " + end);
            }
            return new Pop(end.doubleValue() < 0);
        }

        @Override
        public Object apply(@Nullable Object current, FieldPosition at) {
            if (!(current instanceof List<?> array)) {
                throw UpdateError.wrongType("Path '" + at.path() + "' contains an element of non-array type '"
                        + BsonKind.of(current).alias() + "'");
            }
            if (array.isEmpty()) {
                return array;
            }
            return new ArrayList<>(isFirst ? array.subList(1, array.size()) : array.subList(0, array.size() - 1));
        }

        @Override
        public boolean creates() {
            return false;
        }

        @Override
        public boolean needsViablePath() {
            return true;
        }
    }

    /** {@code $pull} and {@code $pullAll}. */
    record Pull(String operator, Predicate<@Nullable Object> isPulled) implements Modifier {
        @Override
        public Object apply(@Nullable Object current, FieldPosition at) {
            if (!(current instanceof List<?> array)) {
                throw UpdateError.badValue("Cannot apply " + operator + " to a non-array value");
            }
            List<@Nullable Object> kept = new ArrayList<>(array);
            kept.removeIf(isPulled);
            return kept;
        }

        @Override
        public boolean creates() {
            return false;
        }

        @Override
        public boolean needsViablePath() {
            return true;
        }
    }
}
