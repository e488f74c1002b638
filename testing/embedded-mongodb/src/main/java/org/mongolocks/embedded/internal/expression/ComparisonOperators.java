package org.mongolocks.embedded.internal.expression;

import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;

/** {@code $eq} and its relatives, {@code $max} and {@code $min}, which compare values of all types with each other. */
public final class ComparisonOperators {
    static final Map<String, Operator> ALL = Map.of(
            "$eq", test(order -> order == 0),
            "$ne", test(order -> order != 0),
            "$lt", test(order -> order < 0),
            "$lte", test(order -> order <= 0),
            "$gt", test(order -> order > 0),
            "$gte", test(order -> order >= 0),
            "$cmp", Operator.fixed(2, arguments -> Integer.signum(compare(arguments))),
            "$max", Operator.variadic(arguments -> extreme(elements(arguments), 1)),
            "$min", Operator.variadic(arguments -> extreme(elements(arguments), -1)));

    private ComparisonOperators() {}

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
    public static @Nullable Object extreme(Iterable<?> values, int sign) {
        Object extreme = null;
        for (Object value : values) {
            boolean isBetter = extreme == null || sign * ValueOrder.compare(value, extreme) > 0;
            extreme = !Values.isNullish(value) && isBetter ? value : extreme;
        }
        return extreme;
    }
}
