package org.mongolocks.embedded.internal.expression;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;

/** {@code $type}, and the operators that turn a value into a long or a string. */
final class TypeOperators {
    static final Map<String, Operator> ALL = Map.of(
            "$type", Operator.fixed(1, arguments -> BsonKind.nameOf(arguments.get(0))),
            "$isArray", Operator.fixed(1, arguments -> arguments.get(0) instanceof List),
            "$toLong", to(BsonKind.LONG, TypeOperators::toLong),
            "$toString", to(BsonKind.STRING, TypeOperators::toText));

    private TypeOperators() {}

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
