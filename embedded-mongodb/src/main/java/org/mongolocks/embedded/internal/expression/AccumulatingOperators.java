package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.Decimal128;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.Arithmetic;
import org.mongolocks.embedded.internal.bson.Collation;
import org.mongolocks.embedded.internal.bson.NumberOrder;
import org.mongolocks.embedded.internal.bson.ValueOrder;

/** {@code $max}, {@code $min}, {@code $sum} and {@code $avg} over arguments, or over the elements of a single array. */
public final class AccumulatingOperators {
    static final Map<String, Operator> ALL = Map.of(
            "$max", Operator.variadic(arguments -> extreme(elements(arguments), 1, arguments.collation())),
            "$min", Operator.variadic(arguments -> extreme(elements(arguments), -1, arguments.collation())),
            "$sum", Operator.variadic(arguments -> sum(elements(arguments))),
            "$avg", Operator.variadic(arguments -> average(elements(arguments))));

    private AccumulatingOperators() {}

    private static List<?> elements(Arguments arguments) {
        boolean isArray = arguments.size() == 1 && arguments.get(0) instanceof List;
        return isArray ? arguments.array(0, 0) : arguments.values();
    }

    /** The largest value (sign 1) or the smallest (sign -1), apart from null and missing; null if there is none. */
    public static @Nullable Object extreme(Iterable<?> values, int sign, @Nullable Collation collation) {
        Object extreme = null;
        for (Object value : values) {
            boolean isBetter = extreme == null || sign * ValueOrder.compare(value, extreme, collation) > 0;
            extreme = !Absence.isNullish(value) && isBetter ? value : extreme;
        }
        return extreme;
    }

    /** The sum of the numbers among the values. */
    public static Number sum(Iterable<?> values) {
        Number sum = 0;
        for (Object value : values) {
            if (value instanceof Number number) {
                sum = Arithmetic.ADD.widening(sum, number);
            }
        }
        return sum;
    }

    /** The mean of the numbers among the values; null if there is none. */
    public static @Nullable Object average(Iterable<?> values) {
        Number sum = 0;
        int count = 0;
        for (Object value : values) {
            if (value instanceof Number number) {
                sum = Arithmetic.ADD.widening(sum, number);
                count++;
            }
        }
        if (count == 0) {
            return null;
        }
        return sum instanceof Decimal128
                ? (Object)
                        new Decimal128(NumberOrder.exact(sum).divide(BigDecimal.valueOf(count), MathContext.DECIMAL128))
                : (Object) (sum.doubleValue() / count);
    }
}
