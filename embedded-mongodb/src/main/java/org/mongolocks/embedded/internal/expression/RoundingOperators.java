package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.Decimal128;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.function.DoublePredicate;
import java.util.function.DoubleUnaryOperator;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.NumberOrder;
import org.mongolocks.embedded.internal.bson.WholeNumber;
import org.mongolocks.embedded.internal.error.CommandError;

/** Functions of one number, which keep its type where MongoDB does, and powers. */
final class RoundingOperators {
    static final Map<String, Operator> ALL = Map.ofEntries(
            Map.entry("$abs", Operator.fixed(1, RoundingOperators::abs)),
            Map.entry("$ceil", rounding(RoundingMode.CEILING)),
            Map.entry("$floor", rounding(RoundingMode.FLOOR)),
            Map.entry("$round", places(RoundingMode.HALF_EVEN)),
            Map.entry("$trunc", places(RoundingMode.DOWN)),
            Map.entry("$sqrt", function(Math::sqrt, x -> x >= 0, 28714)),
            Map.entry("$ln", function(Math::log, x -> x > 0, 28766)),
            Map.entry("$log10", function(Math::log10, x -> x > 0, 28761)),
            Map.entry("$log", Operator.fixed(2, RoundingOperators::log)),
            Map.entry("$pow", Operator.fixed(2, RoundingOperators::pow)));

    private RoundingOperators() {}

    private static @Nullable Object abs(Arguments arguments) {
        if (arguments.anyNullish()) {
            return null;
        }
        Number value = arguments.number(0, 28765);
        if (value instanceof Double) {
            return Math.abs(value.doubleValue());
        }
        if (value instanceof Decimal128) {
            return new Decimal128(NumberOrder.exact(value).abs());
        }
        if (value.longValue() == Long.MIN_VALUE) {
            throw new CommandError(28680, "can't take $abs of long long min");
        }
        long absolute = Math.abs(value.longValue());
        boolean isInt = value instanceof Integer && absolute <= Integer.MAX_VALUE;
        return isInt ? (Object) (int) absolute : (Object) absolute;
    }

    private static Operator rounding(RoundingMode mode) {
        return Operator.fixed(
                1, arguments -> arguments.anyNullish() ? null : round(arguments.number(0, 28765), 0, mode));
    }

    private static Operator places(RoundingMode mode) {
        return Operator.atLeast(1, 2, arguments -> {
            if (arguments.anyNullish()) {
                return null;
            }
            int places = arguments.size() == 1 ? 0 : checkedPlaces(arguments.number(1, 51082));
            return round(arguments.number(0, 51081), places, mode);
        });
    }

    private static int checkedPlaces(Number places) {
        if (places.doubleValue() != Math.rint(places.doubleValue())) {
            throw new CommandError(51082, "precision argument to the operator must be a integral value");
        }
        if (places.doubleValue() < -20 || places.doubleValue() > 100) {
            throw new CommandError(
                    51083, "cannot apply with precision value " + places + " value must be in [-20, 100]");
        }
        return WholeNumber.intOf(places);
    }

    private static Number round(Number value, int places, RoundingMode mode) {
        if (!Double.isFinite(value.doubleValue()) || (isWhole(value) && places >= 0)) {
            return value;
        }
        BigDecimal exact = value instanceof Double ? BigDecimal.valueOf(value.doubleValue()) : NumberOrder.exact(value);
        BigDecimal rounded = exact.setScale(places, mode);
        if (value instanceof Decimal128) {
            return new Decimal128(rounded);
        }
        if (value instanceof Double) {
            return rounded.doubleValue();
        }
        return value instanceof Integer ? (Number) rounded.intValue() : (Number) rounded.longValue();
    }

    private static boolean isWhole(Number value) {
        return value instanceof Integer || value instanceof Long;
    }

    private static Operator function(DoubleUnaryOperator function, DoublePredicate domain, int code) {
        return Operator.fixed(1, arguments -> {
            if (arguments.anyNullish()) {
                return null;
            }
            double value = arguments.number(0, 28765).doubleValue();
            if (!Double.isNaN(value) && !domain.test(value)) {
                throw new CommandError(code, arguments.operator() + "'s argument is out of its domain: " + value);
            }
            return function.applyAsDouble(value);
        });
    }

    private static @Nullable Object log(Arguments arguments) {
        if (arguments.anyNullish()) {
            return null;
        }
        double value = arguments.number(0, 28756).doubleValue();
        double base = arguments.number(1, 28757).doubleValue();
        if (value <= 0) {
            throw new CommandError(28758, "$log's argument must be a positive number, but is " + value);
        }
        if (base <= 0 || base == 1) {
            throw new CommandError(28759, "$log's base must be a positive number not equal to 1, but is " + base);
        }
        return Math.log(value) / Math.log(base);
    }

    private static @Nullable Object pow(Arguments arguments) {
        if (arguments.anyNullish()) {
            return null;
        }
        Number base = arguments.number(0, 28762);
        Number exponent = arguments.number(1, 28763);
        if (base.doubleValue() == 0 && exponent.doubleValue() < 0) {
            throw new CommandError(28764, "$pow cannot take a base of 0 and a negative exponent");
        }
        double power = Math.pow(base.doubleValue(), exponent.doubleValue());
        if (!isWhole(base) || !isWhole(exponent) || exponent.longValue() < 0 || Math.abs(power) >= 1L << 53) {
            return power;
        }
        boolean isInt = base instanceof Integer && exponent instanceof Integer && power == (int) power;
        return isInt ? (Object) (int) power : (Object) (long) power;
    }
}
