package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.Decimal128;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.NumberOrder;
import org.mongolocks.embedded.internal.bson.Truth;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** One value turned into another type, or the error that says that it cannot be. */
final class Conversion {
    private Conversion() {}

    static Object to(BsonKind target, Object value) {
        Object converted = convert(target, value);
        if (converted == null) {
            throw failure("Unsupported conversion from " + Arguments.type(value) + " to " + target.alias()
                    + " in $convert with no onError value");
        }
        return converted;
    }

    private static @Nullable Object convert(BsonKind target, Object value) {
        return switch (target) {
            case BOOL -> Truth.of(value);
            case INT -> toWhole(value, false, Integer.MIN_VALUE, Integer.MAX_VALUE, true);
            case LONG -> toWhole(value, true, Long.MIN_VALUE, Long.MAX_VALUE, false);
            case DOUBLE -> toDouble(value);
            case DECIMAL -> toDecimal(value);
            case STRING -> StringConversion.convert(value);
            case DATE -> toDate(value);
            case OBJECT_ID -> toObjectId(value);
            default -> null;
        };
    }

    private static @Nullable Object toWhole(Object value, boolean allowsDate, long least, long most, boolean isInt) {
        BigDecimal exact = exact(value, allowsDate);
        if (exact == null) {
            return null;
        }
        BigInteger whole = exact.toBigInteger();
        if (whole.compareTo(BigInteger.valueOf(least)) < 0 || whole.compareTo(BigInteger.valueOf(most)) > 0) {
            throw failure("Conversion would overflow target type in $convert with no onError value: " + value);
        }
        return isInt ? (Object) whole.intValue() : (Object) whole.longValue();
    }

    private static @Nullable BigDecimal exact(Object value, boolean allowsDate) {
        if (value instanceof Boolean b) {
            return b ? BigDecimal.ONE : BigDecimal.ZERO;
        }
        if (value instanceof Instant instant && allowsDate) {
            return BigDecimal.valueOf(instant.toEpochMilli());
        }
        if (value instanceof String string) {
            return new BigDecimal(parsedWhole(string));
        }
        return value instanceof Number number ? finite(number) : null;
    }

    private static BigDecimal finite(Number value) {
        if (!Double.isFinite(value.doubleValue())) {
            throw failure("Attempt to convert " + value + " value to integer type in $convert with no onError value");
        }
        return NumberOrder.exact(value);
    }

    private static BigInteger parsedWhole(String text) {
        try {
            return new BigInteger(text);
        } catch (NumberFormatException e) {
            throw unparsed(text);
        }
    }

    private static CommandError unparsed(String text) {
        return failure("Failed to parse number '" + text + "' in $convert with no onError value");
    }

    private static @Nullable Object toDouble(Object value) {
        if (value instanceof String string) {
            try {
                return Double.valueOf(string);
            } catch (NumberFormatException e) {
                throw unparsed(string);
            }
        }
        if (value instanceof Number number) {
            return number.doubleValue();
        }
        BigDecimal exact = exact(value, true);
        return exact == null ? null : (Object) exact.doubleValue();
    }

    private static @Nullable Object toDecimal(Object value) {
        if (value instanceof Decimal128) {
            return value;
        }
        if (value instanceof String string) {
            try {
                return new Decimal128(new BigDecimal(string));
            } catch (NumberFormatException e) {
                throw unparsed(string);
            }
        }
        // Fifteen significant digits are what MongoDB takes over from a double.
        BigDecimal exact = value instanceof Double d ? BigDecimal.valueOf(d) : exact(value, true);
        return exact == null ? null : new Decimal128(exact);
    }

    private static @Nullable Object toDate(Object value) {
        if (value instanceof String string) {
            return DateText.parse(string, ZoneOffset.UTC);
        }
        if (value instanceof Long || value instanceof Double || value instanceof Decimal128) {
            return Instant.ofEpochMilli(finite((Number) value).longValue());
        }
        return value instanceof Integer || value instanceof Boolean || !isDateLike(value)
                ? null
                : DateOperators.instant(value);
    }

    private static boolean isDateLike(Object value) {
        BsonKind kind = BsonKind.of(value);
        return kind == BsonKind.DATE || kind == BsonKind.TIMESTAMP || kind == BsonKind.OBJECT_ID;
    }

    private static @Nullable Object toObjectId(Object value) {
        if (value instanceof ObjectId) {
            return value;
        }
        if (!(value instanceof String string)) {
            return null;
        }
        if (!string.matches("[0-9a-fA-F]{24}")) {
            throw failure("Failed to parse objectId '" + value + "' in $convert with no onError value");
        }
        return new ObjectId(string.toLowerCase(Locale.ROOT));
    }

    private static CommandError failure(String message) {
        return new CommandError(ErrorCode.CONVERSION_FAILURE, message);
    }
}
