package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.Decimal128;
import java.math.BigDecimal;

/** BSON numbers: their exact values, their order, and their whole parts. NaN is the smallest number and equal to itself. */
public final class Numbers {
    private static final double EXACT = 1L << 53;
    private static final BigDecimal MIN = BigDecimal.valueOf(Long.MIN_VALUE);
    private static final BigDecimal MAX = BigDecimal.valueOf(Long.MAX_VALUE);

    private Numbers() {}

    public static int compare(Number a, Number b) {
        if (isWhole(a) && isWhole(b)) {
            return Long.compare(a.longValue(), b.longValue());
        }
        double x = a.doubleValue();
        double y = b.doubleValue();
        if (Double.isNaN(x) || Double.isNaN(y)) {
            return Boolean.compare(!Double.isNaN(x), !Double.isNaN(y));
        }
        return isExact(a, x) && isExact(b, y) ? compareDoubles(x, y) : compareExactly(a, x, b, y);
    }

    private static boolean isWhole(Number value) {
        return value instanceof Integer || value instanceof Long;
    }

    private static boolean isExact(Number value, double asDouble) {
        return value instanceof Double
                || value instanceof Integer
                || (value instanceof Long && Math.abs(asDouble) < EXACT);
    }

    // Not Double.compare: 0.0 and -0.0 are equal to MongoDB.
    private static int compareDoubles(double x, double y) {
        return x < y ? -1 : x > y ? 1 : 0;
    }

    private static int compareExactly(Number a, double x, Number b, double y) {
        if (Double.isInfinite(x) || Double.isInfinite(y)) {
            return compareDoubles(x, y);
        }
        return exact(a).compareTo(exact(b));
    }

    /** The exact value of a finite number. */
    public static BigDecimal exact(Number value) {
        if (value instanceof Decimal128 decimal128) {
            return decimal128.toBigDecimal();
        }
        return value instanceof Double ? new BigDecimal(value.doubleValue()) : BigDecimal.valueOf(value.longValue());
    }

    /** The whole part as a long, as MongoDB keeps it: too large becomes the largest, NaN zero. */
    public static long whole(Number number) {
        // The library's own conversion goes by way of an int, and knows no infinity. A value too large for a double
        // counts as infinity.
        if (number instanceof Decimal128 decimal && Double.isFinite(decimal.doubleValue())) {
            return Numbers.exact(decimal).max(MIN).min(MAX).longValue();
        }
        return number instanceof Decimal128 ? (long) number.doubleValue() : number.longValue();
    }

    /** The whole part as an int, likewise. */
    public static int wholeInt(Number number) {
        return (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, whole(number)));
    }
}
