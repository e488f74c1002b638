package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;
import org.mongolocks.embedded.internal.update.UpdateNode.FieldPosition;

/** The operators that add single elements to arrays or take them away. */
final class ArrayModifiers {
    // The element stands under this name while operators look at it.
    private static final String ELEMENT = "element";

    private static final Set<String> LOGICAL = Set.of("$and", "$or", "$nor", "$expr", "$comment", "$jsonSchema");

    private ArrayModifiers() {}

    static Modifier pull(@Nullable Object argument, Scope scope) {
        return new Pull("$pull", predicate(argument, scope));
    }

    private static Predicate<@Nullable Object> predicate(@Nullable Object argument, Scope scope) {
        boolean isOperators = argument instanceof Document document && startsWithOperator(document);
        if (isOperators || argument instanceof BsonRegularExpression) {
            return byOperators(argument, scope);
        }
        if (argument instanceof Document fields) {
            Filter filter = FilterParser.parse(fields, scope);
            return element -> element instanceof Document document && filter.matches(document);
        }
        return element -> ValueOrder.same(element, argument);
    }

    // Operators that join whole filters apply to embedded documents, not to the element itself.
    private static boolean startsWithOperator(Document document) {
        String first = document.isEmpty() ? "" : document.keySet().iterator().next();
        return first.startsWith("$") && !LOGICAL.contains(first);
    }

    private static Predicate<@Nullable Object> byOperators(@Nullable Object condition, Scope scope) {
        Filter filter = FilterParser.parse(new Document(ELEMENT, condition), scope);
        return element -> filter.matches(new Document(ELEMENT, element));
    }

    static Modifier pullAll(@Nullable Object argument) {
        if (!(argument instanceof List<?> values)) {
            throw CommandError.badValue(
                    "$pullAll requires an array argument but was given a " + BsonKind.nameOf(argument));
        }
        return new Pull("$pullAll", element -> values.stream().anyMatch(value -> ValueOrder.same(value, element)));
    }

    /** {@code $addToSet}. */
    record AddToSet(List<?> values) implements Modifier {
        static AddToSet of(@Nullable Object argument) {
            if (!(argument instanceof Document clauses) || !firstKeyIs(clauses, "$each")) {
                return new AddToSet(Collections.singletonList(argument));
            }
            if (!(clauses.get("$each") instanceof List<?> values)) {
                throw CommandError.typeMismatch(
                        "The argument to $each in $addToSet must be an array but it was of type "
                                + BsonKind.nameOf(clauses.get("$each")));
            }
            if (clauses.size() > 1) {
                throw CommandError.badValue(
                        "Found unexpected fields after $each in $addToSet: " + ShellText.of(clauses));
            }
            return new AddToSet(values);
        }

        private static boolean firstKeyIs(Document document, String name) {
            return !document.isEmpty() && document.keySet().iterator().next().equals(name);
        }

        @Override
        public Object apply(@Nullable Object current, FieldPosition at) {
            List<@Nullable Object> array = new ArrayList<>();
            if (current instanceof List<?> existing) {
                array.addAll(existing);
            } else if (!Values.isMissing(current)) {
                throw CommandError.badValue("Cannot apply $addToSet to non-array field. Field named '" + at.lastPart()
                        + "' has non-array type " + BsonKind.nameOf(current));
            }
            for (Object value : values) {
                if (array.stream().noneMatch(element -> ValueOrder.same(element, value))) {
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
                throw CommandError.failedToParse("Expected a number in: " + ShellText.field(path, argument));
            }
            if (Math.abs(end.doubleValue()) != 1) {
                throw CommandError.failedToParse("$pop expects 1 or -1, found: " + end);
            }
            return new Pop(end.doubleValue() < 0);
        }

        @Override
        public Object apply(@Nullable Object current, FieldPosition at) {
            if (!(current instanceof List<?> array)) {
                throw CommandError.typeMismatch("Path '" + at.path() + "' contains an element of non-array type '"
                        + BsonKind.nameOf(current) + "'");
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
                throw CommandError.badValue("Cannot apply " + operator + " to a non-array value");
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
