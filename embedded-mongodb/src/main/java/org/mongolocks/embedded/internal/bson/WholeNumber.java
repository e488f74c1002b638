package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.Decimal128;
import java.math.BigDecimal;

/**
 * The whole part of a number that a client sent, within the bounds of a Java type as MongoDB keeps it: too large becomes the largest, NaN
 * zero.
 */
public final class WholeNumber {
    private static final BigDecimal MIN = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private WholeNumber() {}

    /** As a long. */
    public static long of(Number number) {
        // The library's own conversion goes by way of an int, and knows no infinity. What is too large for a double is
        // as good as that.
        if (number instanceof Decimal128 decimal && Double.isFinite(decimal.doubleValue())) {
            return NumberOrder.exact(decimal).max(MIN).min(MAX).longValue();
        }
        return number instanceof Decimal128 ? (long) number.doubleValue() : number.longValue();
    }

    /** As an int. */
    public static int intOf(Number number) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, of(number)));
    }
}
