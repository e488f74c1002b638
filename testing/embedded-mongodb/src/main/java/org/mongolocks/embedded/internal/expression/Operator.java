package org.mongolocks.embedded.internal.expression;

import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the arguments of one operator. */
@FunctionalInterface
interface Operator {
    Expression parse(String name, @Nullable Object arguments, ExpressionParser parser);

    /** A function of its evaluated arguments. */
    @FunctionalInterface
    interface Function {
        @Nullable
        Object apply(Arguments arguments);
    }

    /** A function of any number of arguments. */
    static Operator variadic(Function function) {
        return atLeast(0, Integer.MAX_VALUE, function);
    }

    /** A function of so many arguments. */
    static Operator fixed(int count, Function function) {
        return (name, arguments, parser) -> {
            List<Expression> parsed = parser.parseAll(listOf(arguments));
            if (parsed.size() != count) {
                throw Arguments.wrongCount(name, count, parsed.size());
            }
            return scope -> function.apply(Arguments.evaluate(name, parsed, scope));
        };
    }

    /** A function of at least and at most so many arguments. */
    static Operator atLeast(int least, int most, Function function) {
        return (name, arguments, parser) -> {
            List<Expression> parsed = parser.parseAll(listOf(arguments));
            if (parsed.size() < least || parsed.size() > most) {
                throw Arguments.outOfRange(name, least, most, parsed.size());
            }
            return scope -> function.apply(Arguments.evaluate(name, parsed, scope));
        };
    }

    /** The arguments as a list: one that is not an array is the only one. */
    static List<?> listOf(@Nullable Object arguments) {
        return arguments instanceof List ? (List<?>) arguments : Collections.singletonList(arguments);
    }
}
