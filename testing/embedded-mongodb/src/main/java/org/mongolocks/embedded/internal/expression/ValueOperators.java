package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.Document;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;

/** Functions of values of any type: comparisons, strings, arrays and documents made of several, types and conversions. */
final class ValueOperators {
    static final Map<String, Operator> ALL = Map.ofEntries(
            Map.entry("$eq", test(order -> order == 0)),
            Map.entry("$ne", test(order -> order != 0)),
            Map.entry("$lt", test(order -> order < 0)),
            Map.entry("$lte", test(order -> order <= 0)),
            Map.entry("$gt", test(order -> order > 0)),
            Map.entry("$gte", test(order -> order >= 0)),
            Map.entry("$cmp", Operator.fixed(2, arguments -> Integer.signum(compare(arguments)))),
            Map.entry("$max", Operator.variadic(arguments -> extreme(elements(arguments), 1))),
            Map.entry("$min", Operator.variadic(arguments -> extreme(elements(arguments), -1))),
            Map.entry("$concat", Operator.variadic(ValueOperators::concat)),
            Map.entry("$concatArrays", Operator.variadic(ValueOperators::concatArrays)),
            Map.entry("$mergeObjects", Operator.variadic(ValueOperators::mergeObjects)),
            Map.entry("$type", Operator.fixed(1, arguments -> BsonKind.nameOf(arguments.get(0)))),
            Map.entry("$isArray", Operator.fixed(1, arguments -> arguments.get(0) instanceof List)),
            Map.entry("$toLong", to(BsonKind.LONG, ValueOperators::toLong)),
            Map.entry("$toString", to(BsonKind.STRING, ValueOperators::toText)));

    private ValueOperators() {}

    private static Operator test(IntPredicate relation) {
        return Operator.fixed(2, arguments -> relation.test(compare(arguments)));
    }

    private static int compare(Arguments arguments) {
        return ValueOrder.compare(arguments.get(0), arguments.get(1));
    }

    // A single array stands for its elements.
    private static List<?> elements(Arguments arguments) {
        return arguments.size() == 1 && arguments.get(0) instanceof List<?> array ? array : arguments.values();
    }

    /** The largest value (sign 1) or the smallest (sign -1), apart from null and missing; null if there is none. */
    private static @Nullable Object extreme(Iterable<?> values, int sign) {
        Object extreme = null;
        for (Object value : values) {
            boolean isBetter = extreme == null || sign * ValueOrder.compare(value, extreme) > 0;
            extreme = !Values.isNullish(value) && isBetter ? value : extreme;
        }
        return extreme;
    }

    private static @Nullable Object concat(Arguments arguments) {
        StringBuilder text = new StringBuilder();
        for (Object value : arguments.values()) {
            if (Values.isNullish(value)) {
                return null;
            }
            if (!(value instanceof String string)) {
                throw new CommandError(16702, "$concat only supports strings, not " + BsonKind.nameOf(value));
            }
            text.append(string);
        }
        return text.toString();
    }

    private static @Nullable Object concatArrays(Arguments arguments) {
        List<@Nullable Object> all = new ArrayList<>();
        for (Object value : arguments.values()) {
            if (Values.isNullish(value)) {
                return null;
            }
            if (!(value instanceof List<?> array)) {
                throw new CommandError(28664, "$concatArrays only supports arrays, not " + BsonKind.nameOf(value));
            }
            all.addAll(array);
        }
        return all;
    }

    private static Object mergeObjects(Arguments arguments) {
        boolean isArray = arguments.size() == 1 && arguments.get(0) instanceof List;
        Document merged = new Document();
        for (Object value : isArray ? arguments.array(0, 40400) : arguments.values()) {
            if (value instanceof Document document) {
                merged.putAll(document);
            } else if (!Values.isNullish(value)) {
                throw new CommandError(
                        40400, "$mergeObjects requires object inputs, but input is of type " + BsonKind.nameOf(value));
            }
        }
        return merged;
    }

    /** Turns a value into another type; null if its type cannot be converted here. */
    @FunctionalInterface
    private interface Conversion {
        @Nullable
        Object of(Object value);
    }

    private static Operator to(BsonKind target, Conversion conversion) {
        return Operator.fixed(1, arguments -> {
            Object value = Values.toNull(arguments.get(0));
            if (value == null) {
                return null;
            }
            Object converted = conversion.of(value);
            if (converted == null) {
                throw CommandError.unsupported("A conversion of " + BsonKind.nameOf(value) + " to " + target.alias());
            }
            return converted;
        });
    }

    private static @Nullable Object toLong(Object value) {
        if (value instanceof Instant date) {
            return date.toEpochMilli();
        }
        return value instanceof Integer || value instanceof Long ? ((Number) value).longValue() : null;
    }

    private static @Nullable String toText(Object value) {
        return switch (BsonKind.of(value)) {
            case STRING, INT, LONG, BOOL -> value.toString();
            default -> null;
        };
    }
}
