package org.mongolocks.embedded.internal.expression;

import java.util.Map;
import java.util.function.IntPredicate;
import org.mongolocks.embedded.internal.bson.ValueOrder;

/** {@code $eq} and its relatives, which compare values of all types with each other. */
final class ComparisonOperators {
    static final Map<String, Operator> ALL = Map.of(
            "$eq", test(order -> order == 0),
            "$ne", test(order -> order != 0),
            "$lt", test(order -> order < 0),
            "$lte", test(order -> order <= 0),
            "$gt", test(order -> order > 0),
            "$gte", test(order -> order >= 0),
            "$cmp", Operator.fixed(2, arguments -> Integer.signum(compare(arguments))));

    private ComparisonOperators() {}

    private static Operator test(IntPredicate relation) {
        return Operator.fixed(2, arguments -> relation.test(compare(arguments)));
    }

    private static int compare(Arguments arguments) {
        return ValueOrder.compare(arguments.get(0), arguments.get(1), arguments.collation());
    }
}
