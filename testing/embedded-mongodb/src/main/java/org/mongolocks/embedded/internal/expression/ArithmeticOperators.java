package org.mongolocks.embedded.internal.expression;

import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Arithmetic;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;

/** Sums, differences and products, and dates where MongoDB allows them. */
final class ArithmeticOperators {
    static final Map<String, Operator> ALL = Map.of(
            "$add", Operator.variadic(ArithmeticOperators::add),
            "$subtract", Operator.fixed(2, ArithmeticOperators::subtract),
            "$multiply", Operator.variadic(ArithmeticOperators::multiply));

    private ArithmeticOperators() {}

    private static @Nullable Object add(Arguments arguments) {
        Number sum = 0;
        boolean isDate = false;
        for (Object value : arguments.values()) {
            if (Values.isNullish(value)) {
                return null;
            }
            if (value instanceof Instant) {
                if (isDate) {
                    throw new CommandError(16612, "only one date allowed in an $add expression");
                }
                isDate = true;
            }
            sum = Arithmetic.ADD.widening(sum, addend(value));
        }
        return isDate ? (Object) Instant.ofEpochMilli(millis(sum)) : (Object) sum;
    }

    private static Number addend(@Nullable Object value) {
        if (value instanceof Instant instant) {
            return instant.toEpochMilli();
        }
        if (!(value instanceof Number number)) {
            throw new CommandError(16554, "$add only supports numeric or date types, not " + BsonKind.nameOf(value));
        }
        return number;
    }

    // A fraction of a millisecond is rounded, away from zero at the half.
    private static long millis(Number sum) {
        return sum instanceof Double
                ? Math.round(sum.doubleValue())
                : Numbers.exact(sum).longValue();
    }

    private static @Nullable Object subtract(Arguments arguments) {
        if (arguments.anyNullish()) {
            return null;
        }
        Object left = arguments.get(0);
        Object right = arguments.get(1);
        if (left instanceof Number a && right instanceof Number b) {
            return Arithmetic.SUBTRACT.widening(a, b);
        }
        if (left instanceof Instant a && right instanceof Instant b) {
            return a.toEpochMilli() - b.toEpochMilli();
        }
        if (left instanceof Instant instant && right instanceof Number number) {
            return instant.minusMillis(millis(number));
        }
        throw new CommandError(16556, "cant $subtract a" + BsonKind.nameOf(right) + " from a " + BsonKind.nameOf(left));
    }

    private static @Nullable Object multiply(Arguments arguments) {
        Number product = 1;
        for (int i = 0; i < arguments.size(); i++) {
            if (Values.isNullish(arguments.get(i))) {
                return null;
            }
            product = Arithmetic.MULTIPLY.widening(product, arguments.number(i, 16555));
        }
        return product;
    }
}
