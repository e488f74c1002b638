package org.mongolocks.embedded.internal.expression;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;

/** The evaluated arguments of an operator. */
final class Arguments {
    private final String operator;
    private final List<@Nullable Object> values;

    private Arguments(String operator, List<@Nullable Object> values) {
        this.operator = operator;
        this.values = values;
    }

    static Arguments evaluate(String operator, List<Expression> expressions, Scope scope) {
        List<@Nullable Object> values = new ArrayList<>(expressions.size());
        for (Expression expression : expressions) {
            values.add(expression.evaluate(scope));
        }
        return new Arguments(operator, values);
    }

    String operator() {
        return operator;
    }

    int size() {
        return values.size();
    }

    @Nullable
    Object get(int index) {
        return values.get(index);
    }

    List<@Nullable Object> values() {
        return values;
    }

    boolean anyNullish() {
        for (Object value : values) {
            if (Values.isNullish(value)) {
                return true;
            }
        }
        return false;
    }

    /** The argument as a number, or the error with this code. */
    Number number(int index, int code) {
        Object value = get(index);
        if (!(value instanceof Number number)) {
            throw new CommandError(code, operator + " only supports numeric types, not " + BsonKind.nameOf(value));
        }
        return number;
    }

    List<?> array(int index, int code) {
        Object value = get(index);
        if (!(value instanceof List)) {
            throw new CommandError(code, operator + " requires an array, found: " + BsonKind.nameOf(value));
        }
        return (List<?>) value;
    }

    static CommandError wrongCount(String operator, int expected, int actual) {
        return new CommandError(
                16020,
                "Expression " + operator + " takes exactly " + expected + " arguments. " + actual + " were passed in.");
    }

    static CommandError outOfRange(String operator, int least, int most, int actual) {
        return new CommandError(
                28667,
                "Expression " + operator + " takes at least " + least + " arguments, and at most " + most + ", but "
                        + actual + " were passed in.");
    }
}
