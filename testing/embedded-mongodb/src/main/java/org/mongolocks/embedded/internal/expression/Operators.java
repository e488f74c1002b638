package org.mongolocks.embedded.internal.expression;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** All operators by name. */
final class Operators {
    // Operators of MongoDB 4.4 that this server does not have: it says so, rather than that they do not exist.
    private static final Set<String> UNSUPPORTED = Set.of("""
            abs accumulator acos acosh allElementsTrue anyElementTrue arrayElemAt arrayToObject asin asinh atan atan2 atanh avg binarySize
            bsonSize ceil const convert cos cosh dateFromParts dateFromString dateToParts dateToString dayOfMonth dayOfWeek
            dayOfYear degreesToRadians divide exp first floor function hour indexOfBytes indexOfCP isNumber isoDayOfWeek isoWeek
            isoWeekYear last ln log log10 ltrim map meta millisecond minute mod month objectToArray pow radiansToDegrees range reduce
            regexFind regexFindAll regexMatch replaceAll replaceOne reverseArray round rtrim second setDifference setEquals
            setIntersection setIsSubset setUnion sin sinh split sqrt stdDevPop stdDevSamp strLenBytes strLenCP strcasecmp
            substr substrBytes substrCP sum tan tanh toBool toDate toDecimal toDouble toInt toLower toObjectId toUpper trim trunc
            week year zip""".split("\\s+"));

    private static final Map<String, Operator> BY_NAME = all();

    private Operators() {}

    static Operator named(String name) {
        Operator operator = BY_NAME.get(name);
        if (operator != null) {
            return operator;
        }
        throw UNSUPPORTED.contains(name.substring(1))
                ? CommandError.unsupported(name)
                : new CommandError(ErrorCode.INVALID_PIPELINE_OPERATOR, "Unrecognized expression '" + name + "'");
    }

    private static Map<String, Operator> all() {
        Map<String, Operator> all = new HashMap<>();
        all.putAll(ValueOperators.ALL);
        all.putAll(ControlOperators.ALL);
        all.putAll(ArithmeticOperators.ALL);
        all.putAll(ArrayOperators.ALL);
        return Map.copyOf(all);
    }
}
