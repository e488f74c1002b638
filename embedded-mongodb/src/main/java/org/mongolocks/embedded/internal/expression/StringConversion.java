package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Decimal128;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.error.CommandError;

/** Values as strings, as expressions write them. */
final class StringConversion {
    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);

    private StringConversion() {}

    /** The string that functions of strings see; null and missing are empty. */
    static String coerce(@Nullable Object value) {
        Object present = Absence.toNull(value);
        if (present == null) {
            return "";
        }
        String text = present instanceof Boolean || present instanceof ObjectId ? null : convert(present);
        if (text == null) {
            throw new CommandError(16007, "can't convert from BSON type " + Arguments.type(value) + " to String");
        }
        return text;
    }

    /** The string that {@code $toString} gives, or null if there is none for this type. */
    static @Nullable String convert(Object value) {
        return switch (BsonKind.of(value)) {
            case STRING -> (String) value;
            case INT, LONG, BOOL -> String.valueOf(value);
            case DECIMAL -> ((Decimal128) value).toString();
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
