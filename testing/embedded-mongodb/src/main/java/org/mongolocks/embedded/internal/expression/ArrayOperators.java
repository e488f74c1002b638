package org.mongolocks.embedded.internal.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;

/** Functions of arrays. */
final class ArrayOperators {
    static final Map<String, Operator> ALL = Map.of(
            "$size", Operator.fixed(1, arguments -> arguments.array(0, 17124).size()),
            "$in", Operator.fixed(2, ArrayOperators::in),
            "$slice", Operator.atLeast(2, 3, ArrayOperators::slice),
            "$indexOfArray", Operator.fixed(2, ArrayOperators::indexOf),
            "$filter", ArrayOperators::filter);

    // The variable that $filter gives an element.
    private static final String ELEMENT = "this";

    private ArrayOperators() {}

    private static Object in(Arguments arguments) {
        if (!(arguments.get(1) instanceof List)) {
            throw new CommandError(
                    40081, "$in requires an array as a second argument, found: " + BsonKind.nameOf(arguments.get(1)));
        }
        for (Object element : arguments.array(1, 40081)) {
            if (ValueOrder.same(element, arguments.get(0))) {
                return true;
            }
        }
        return false;
    }

    private static int whole(Number value, int code) {
        if (value.doubleValue() != Numbers.wholeInt(value)) {
            throw new CommandError(code, "a 32-bit integer is needed, but found " + value);
        }
        return Numbers.wholeInt(value);
    }

    private static @Nullable Object slice(Arguments arguments) {
        if (arguments.anyNullish()) {
            return null;
        }
        List<?> array = arguments.array(0, 28724);
        int second = whole(arguments.number(1, 28725), 28726);
        if (arguments.size() == 2) {
            int count = Math.min(Math.abs(second), array.size());
            return second < 0 ? array.subList(array.size() - count, array.size()) : array.subList(0, count);
        }
        int count = whole(arguments.number(2, 28727), 28728);
        if (count <= 0) {
            throw new CommandError(28729, "Third argument to $slice must be positive: " + count);
        }
        int start = second < 0 ? Math.max(0, array.size() + second) : Math.min(second, array.size());
        return array.subList(start, (int) Math.min((long) start + count, array.size()));
    }

    private static @Nullable Object indexOf(Arguments arguments) {
        if (Values.isNullish(arguments.get(0))) {
            return null;
        }
        List<?> array = arguments.array(0, 40090);
        for (int i = 0; i < array.size(); i++) {
            if (ValueOrder.same(array.get(i), arguments.get(1))) {
                return i;
            }
        }
        return -1;
    }

    private static Expression filter(String name, @Nullable Object arguments, ExpressionParser parser) {
        NamedArguments named = NamedArguments.of(name, arguments, 28646, 28647);
        named.allow(Set.of("input", "cond"));
        Expression input = parser.parse(named.required("input", 28648));
        Expression condition = parser.defining(List.of(ELEMENT)).parse(named.required("cond", 28650));
        return scope -> {
            List<?> elements = elements(name, input.evaluate(scope), 28651);
            return elements == null ? null : kept(elements, condition, scope);
        };
    }

    private static Object kept(List<?> elements, Expression condition, Scope scope) {
        List<@Nullable Object> kept = new ArrayList<>();
        for (Object element : elements) {
            if (Values.isTrue(condition.evaluate(scope.with(ELEMENT, element)))) {
                kept.add(element);
            }
        }
        return kept;
    }

    private static @Nullable List<?> elements(String name, @Nullable Object input, int code) {
        if (Values.isNullish(input)) {
            return null;
        }
        if (!(input instanceof List)) {
            throw new CommandError(code, "input to " + name + " must be an array not " + BsonKind.nameOf(input));
        }
        return (List<?>) input;
    }
}
