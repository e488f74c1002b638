package org.mongolocks.embedded.internal.expression;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Absence;
import org.mongolocks.embedded.internal.bson.Truth;
import org.mongolocks.embedded.internal.error.CommandError;

/** The operators that evaluate an expression for each element of an array. */
final class IteratingOperators {
    static final Map<String, Operator> ALL = Map.of(
            "$filter", IteratingOperators::filter,
            "$map", IteratingOperators::map,
            "$reduce", IteratingOperators::reduce);

    private IteratingOperators() {}

    private static Expression filter(String name, @Nullable Object arguments, ExpressionParser parser) {
        NamedArguments named = NamedArguments.of(name, arguments, 28646, 28647);
        named.allow(Set.of("input", "as", "cond"));
        Expression input = parser.parse(named.required("input", 28648));
        String as = variable(named);
        Expression condition = parser.defining(List.of(as)).parse(named.required("cond", 28650));
        return scope -> {
            List<?> elements = elements(name, input.evaluate(scope), 28651);
            return elements == null ? null : kept(elements, as, condition, scope);
        };
    }

    private static Object kept(List<?> elements, String as, Expression condition, Scope scope) {
        List<@Nullable Object> kept = new ArrayList<>();
        for (Object element : elements) {
            if (Truth.of(condition.evaluate(scope.with(as, element)))) {
                kept.add(element);
            }
        }
        return kept;
    }

    private static Expression map(String name, @Nullable Object arguments, ExpressionParser parser) {
        NamedArguments named = NamedArguments.of(name, arguments, 16878, 16879);
        named.allow(Set.of("input", "as", "in"));
        Expression input = parser.parse(named.required("input", 16880));
        String as = variable(named);
        Expression body = parser.defining(List.of(as)).parse(named.required("in", 16882));
        return scope -> {
            List<?> elements = elements(name, input.evaluate(scope), 16883);
            return elements == null ? null : mapped(elements, as, body, scope);
        };
    }

    private static Object mapped(List<?> elements, String as, Expression body, Scope scope) {
        List<@Nullable Object> mapped = new ArrayList<>(elements.size());
        for (Object element : elements) {
            mapped.add(Absence.toNull(body.evaluate(scope.with(as, element))));
        }
        return mapped;
    }

    private static Expression reduce(String name, @Nullable Object arguments, ExpressionParser parser) {
        NamedArguments named = NamedArguments.of(name, arguments, 40075, 40076);
        named.allow(Set.of("input", "initialValue", "in"));
        Expression input = parser.parse(named.required("input", 40077));
        Expression initial = parser.parse(named.required("initialValue", 40078));
        Expression body = parser.defining(List.of("this", "value")).parse(named.required("in", 40079));
        return scope -> {
            List<?> elements = elements(name, input.evaluate(scope), 40080);
            if (elements == null) {
                return null;
            }
            Object value = initial.evaluate(scope);
            for (Object element : elements) {
                value = body.evaluate(scope.with("this", element).with("value", value));
            }
            return value;
        };
    }

    private static String variable(NamedArguments named) {
        if (!named.has("as")) {
            return "this";
        }
        String name = String.valueOf(named.optional("as"));
        NamedArguments.checkVariable(name);
        return name;
    }

    private static @Nullable List<?> elements(String name, @Nullable Object input, int code) {
        if (Absence.isNullish(input)) {
            return null;
        }
        if (!(input instanceof List)) {
            throw new CommandError(code, "input to " + name + " must be an array not " + Arguments.type(input));
        }
        return (List<?>) input;
    }
}
