package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** {@code $type}, and the operators that turn a value into a long or a string. */
final class TypeOperators {
    static final Map<String, Operator> ALL = Map.of(
            "$type", Operator.fixed(1, arguments -> BsonKind.nameOf(arguments.get(0))),
            "$isArray", Operator.fixed(1, arguments -> arguments.get(0) instanceof List),
            "$toLong", to(BsonKind.LONG, TypeOperators::toLong),
            "$toString", to(BsonKind.STRING, TypeOperators::toText));

    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private TypeOperators() {}

    /** Turns a value into another type. */
    @FunctionalInterface
    private interface Conversion {
        /** The converted value, or null if its type cannot be converted. */
        @Nullable
        Object of(Object value);
    }

    private static Operator to(BsonKind target, Conversion conversion) {
        return (name, arguments, parser) -> {
            List<?> listed = Operator.listOf(arguments);
            if (listed.size() != 1) {
                throw new CommandError(50723, name + " requires a single argument, got " + listed.size());
            }
            Expression input = parser.parse(listed.get(0));
            return scope -> {
                Object value = Values.toNull(input.evaluate(scope));
                return value == null ? null : converted(target, conversion, value);
            };
        };
    }

    private static Object converted(BsonKind target, Conversion conversion, Object value) {
        Object converted = conversion.of(value);
        if (converted == null) {
            throw failure("Unsupported conversion from " + BsonKind.nameOf(value) + " to " + target.alias());
        }
        return converted;
    }

    private static CommandError failure(String message) {
        return new CommandError(ErrorCode.CONVERSION_FAILURE, message + " in $convert with no onError value");
    }

    private static @Nullable Object toLong(Object value) {
        if (value instanceof Boolean isTrue) {
            return isTrue ? 1L : 0L;
        }
        if (value instanceof Instant date) {
            return date.toEpochMilli();
        }
        if (value instanceof String text) {
            return inRange(parsed(text));
        }
        return value instanceof Number number ? inRange(finite(number).toBigInteger()) : null;
    }

    private static BigInteger parsed(String text) {
        try {
            return new BigInteger(text);
        } catch (NumberFormatException e) {
            throw failure("Failed to parse number '" + text + "'");
        }
    }

    private static BigDecimal finite(Number value) {
        if (!Double.isFinite(value.doubleValue())) {
            throw failure("Attempt to convert " + value + " value to integer type");
        }
        return Numbers.exact(value);
    }

    private static Long inRange(BigInteger whole) {
        if (whole.bitLength() >= Long.SIZE) {
            throw failure("Conversion would overflow target type: " + whole);
        }
        return whole.longValue();
    }

    private static @Nullable String toText(Object value) {
        return switch (BsonKind.of(value)) {
            case STRING, INT, LONG, BOOL, DECIMAL -> value.toString();
            case DOUBLE -> ofDouble((Double) value);
            case DATE -> ISO.format((Instant) value);
            case OBJECT_ID -> ((ObjectId) value).getHexData();
            case TIMESTAMP -> ofTimestamp((BsonTimestamp) value);
            default -> null;
        };
    }

    private static String ofTimestamp(BsonTimestamp value) {
        return "Timestamp(" + Integer.toUnsignedString(value.getTime()) + ", " + value.getInc() + ')';
    }

    // Shortest digits that give the number back, without a fraction of zero; an exponent from 21 digits on.
    private static String ofDouble(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "Infinity" : "-Infinity";
        }
        BigDecimal exact = new BigDecimal(Double.toString(value)).stripTrailingZeros();
        if (value != 0 && (Math.abs(value) >= 1e21 || Math.abs(value) < 1e-6)) {
            return exponential(exact);
        }
        return value == 0 ? (1 / value < 0 ? "-0" : "0") : exact.toPlainString();
    }

    private static String exponential(BigDecimal value) {
        String digits = value.unscaledValue().abs().toString();
        int exponent = digits.length() - 1 - value.scale();
        String fraction = digits.length() == 1 ? "" : '.' + digits.substring(1);
        String sign = value.signum() < 0 ? "-" : "";
        return sign + digits.charAt(0) + fraction + 'e' + (exponent < 0 ? "-" : "+") + Math.abs(exponent);
    }
}
