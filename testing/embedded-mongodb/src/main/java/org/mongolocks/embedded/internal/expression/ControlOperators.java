package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;

/** The operators that decide which of their arguments are evaluated. */
final class ControlOperators {
    static final Map<String, Operator> ALL = Map.ofEntries(
            Map.entry("$and", ControlOperators::and),
            Map.entry("$or", ControlOperators::or),
            Map.entry("$not", Operator.fixed(1, arguments -> !Values.isTrue(arguments.get(0)))),
            Map.entry("$cond", ControlOperators::cond),
            Map.entry("$ifNull", ControlOperators::ifNull),
            Map.entry("$switch", ControlOperators::switchOf),
            Map.entry("$let", ControlOperators::let),
            Map.entry("$literal", (name, value, parser) -> new Expression.Constant(value)));

    private ControlOperators() {}

    private static Expression and(String name, @Nullable Object arguments, ExpressionParser parser) {
        List<Expression> parts = parser.parseAll(Operator.listOf(arguments));
        return scope -> {
            for (Expression part : parts) {
                if (!Values.isTrue(part.evaluate(scope))) {
                    return false;
                }
            }
            return true;
        };
    }

    private static Expression or(String name, @Nullable Object arguments, ExpressionParser parser) {
        List<Expression> parts = parser.parseAll(Operator.listOf(arguments));
        return scope -> {
            for (Expression part : parts) {
                if (Values.isTrue(part.evaluate(scope))) {
                    return true;
                }
            }
            return false;
        };
    }

    private static Expression cond(String name, @Nullable Object arguments, ExpressionParser parser) {
        if (arguments instanceof Document) {
            throw CommandError.unsupported("$cond with names");
        }
        List<Expression> parts = parser.parseAll(Operator.listOf(arguments));
        if (parts.size() != 3) {
            throw Arguments.wrongCount(name, 3, parts.size());
        }
        return scope ->
                parts.get(Values.isTrue(parts.get(0).evaluate(scope)) ? 1 : 2).evaluate(scope);
    }

    private static Expression ifNull(String name, @Nullable Object arguments, ExpressionParser parser) {
        List<Expression> parts = parser.parseAll(Operator.listOf(arguments));
        if (parts.size() != 2) {
            throw Arguments.wrongCount(name, 2, parts.size());
        }
        return scope -> {
            Object value = parts.get(0).evaluate(scope);
            return Values.isNullish(value) ? parts.get(1).evaluate(scope) : value;
        };
    }

    private static Expression switchOf(String name, @Nullable Object arguments, ExpressionParser parser) {
        if (!(arguments instanceof Document document)) {
            throw new CommandError(
                    40060, "$switch requires an object as an argument, found: " + BsonKind.nameOf(arguments));
        }
        NamedArguments named = new NamedArguments(name, document, 40067);
        named.allow(Set.of("branches", "default"));
        List<Branch> branches = branches(named.optional("branches"), parser);
        Expression otherwise = named.has("default") ? parser.parse(named.optional("default")) : null;
        if (branches.isEmpty()) {
            throw new CommandError(40068, "$switch requires at least one branch.");
        }
        return scope -> choose(branches, otherwise, scope);
    }

    private static @Nullable Object choose(List<Branch> branches, @Nullable Expression otherwise, Scope scope) {
        for (Branch branch : branches) {
            if (Values.isTrue(branch.test.evaluate(scope))) {
                return branch.then.evaluate(scope);
            }
        }
        if (otherwise == null) {
            throw new CommandError(
                    40066, "$switch could not find a matching branch for an input, and no default was specified.");
        }
        return otherwise.evaluate(scope);
    }

    private static List<Branch> branches(@Nullable Object value, ExpressionParser parser) {
        if (Values.isMissing(value)) {
            return List.of();
        }
        if (!(value instanceof List)) {
            throw new CommandError(40061, "$switch expected an array for 'branches', found: " + BsonKind.nameOf(value));
        }
        List<Branch> branches = new ArrayList<>();
        for (Object branch : (List<?>) value) {
            branches.add(branch(branch, parser));
        }
        return branches;
    }

    private static Branch branch(@Nullable Object value, ExpressionParser parser) {
        if (!(value instanceof Document document)) {
            throw new CommandError(
                    40062, "$switch expected each branch to be an object, found: " + BsonKind.nameOf(value));
        }
        NamedArguments named = new NamedArguments("$switch", document, 40063);
        named.allow(Set.of("case", "then"));
        return new Branch(parser.parse(named.required("case", 40064)), parser.parse(named.required("then", 40065)));
    }

    private static Expression let(String name, @Nullable Object arguments, ExpressionParser parser) {
        NamedArguments named = NamedArguments.of(name, arguments, 16874, 16875);
        named.allow(Set.of("vars", "in"));
        Object vars = named.required("vars", 16876);
        Map<String, Expression> values = new LinkedHashMap<>();
        for (Map.Entry<String, Object> entry :
                NamedArguments.object(vars, 10065).entrySet()) {
            NamedArguments.checkVariable(entry.getKey());
            values.put(entry.getKey(), parser.parse(entry.getValue()));
        }
        Expression body = parser.defining(values.keySet()).parse(named.required("in", 16877));
        return scope -> {
            Scope inner = scope;
            for (Map.Entry<String, Expression> entry : values.entrySet()) {
                inner = inner.with(entry.getKey(), entry.getValue().evaluate(scope));
            }
            return body.evaluate(inner);
        };
    }

    /** One case of a {@code $switch}. */
    private record Branch(Expression test, Expression then) {}
}
