package org.mongolocks.embedded.internal.expression;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** All operators by name. */
final class Operators {
    // Operators of MongoDB 4.4 that this server does not have: it says so, rather than that they do not exist.
    private static final Set<String> UNSUPPORTED = Set.of(
            "$accumulator",
            "$function",
            "$meta",
            "$zip",
            "$regexFind",
            "$regexFindAll",
            "$sin",
            "$cos",
            "$tan",
            "$asin",
            "$acos",
            "$atan",
            "$atan2",
            "$sinh",
            "$cosh",
            "$tanh",
            "$asinh",
            "$acosh",
            "$atanh",
            "$degreesToRadians",
            "$radiansToDegrees",
            "$binarySize",
            "$stdDevPop",
            "$stdDevSamp");

    private static final Map<String, Operator> BY_NAME = all();

    private Operators() {}

    static Operator named(String name) {
        Operator operator = BY_NAME.get(name);
        if (operator != null) {
            return operator;
        }
        throw UNSUPPORTED.contains(name)
                ? new CommandError(ErrorCode.NOT_IMPLEMENTED, name + " is not supported by the embedded server")
                : new CommandError(ErrorCode.INVALID_PIPELINE_OPERATOR, "Unrecognized expression '" + name + "'");
    }

    private static Map<String, Operator> all() {
        Map<String, Operator> all = new HashMap<>();
        all.putAll(ComparisonOperators.ALL);
        all.putAll(ControlOperators.ALL);
        all.putAll(ArithmeticOperators.ALL);
        all.putAll(RoundingOperators.ALL);
        all.putAll(AccumulatingOperators.ALL);
        all.putAll(ArrayOperators.ALL);
        all.putAll(IteratingOperators.ALL);
        all.putAll(ObjectOperators.ALL);
        all.putAll(StringOperators.ALL);
        all.putAll(SubstringOperators.ALL);
        all.putAll(ConversionOperators.ALL);
        all.putAll(DateOperators.ALL);
        all.putAll(DateParts.ALL);
        all.putAll(DateText.ALL);
        all.putAll(LibraryOperators.ALL);
        return Map.copyOf(all);
    }
}
