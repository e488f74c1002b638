package org.mongolocks.embedded.internal.expression;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.error.CommandError;

/** Reads aggregation expressions; knows which variables are defined where it reads. */
public final class ExpressionParser {
    private static final Set<String> BUILT_IN = Set.of("ROOT", "CURRENT", "REMOVE", "NOW", "CLUSTER_TIME");

    private final Set<String> variables;

    public ExpressionParser() {
        this(Set.of());
    }

    private ExpressionParser(Set<String> variables) {
        this.variables = variables;
    }

    /** A parser for the body of an operator that defines variables. */
    ExpressionParser defining(Collection<String> names) {
        Set<String> all = new HashSet<>(variables);
        all.addAll(names);
        return new ExpressionParser(all);
    }

    public Expression parse(@Nullable Object value) {
        if (value instanceof String string && string.startsWith("$")) {
            return parsePath(string);
        }
        if (value instanceof Document document) {
            return parseDocument(document);
        }
        return value instanceof List
                ? new Expression.Elements(parseAll((List<?>) value))
                : new Expression.Constant(value);
    }

    List<Expression> parseAll(Collection<?> values) {
        List<Expression> expressions = new ArrayList<>(values.size());
        for (Object value : values) {
            expressions.add(parse(value));
        }
        return expressions;
    }

    private Expression parseDocument(Document document) {
        if (isOperator(document)) {
            return parseOperator(document);
        }
        Map<String, Expression> fields = new LinkedHashMap<>();
        document.forEach((name, value) -> {
            checkFieldName(name);
            fields.put(name, parse(value));
        });
        return new Expression.Fields(fields);
    }

    /** Whether a document is an operator with its arguments rather than a document of fields. */
    public static boolean isOperator(Document document) {
        return !document.isEmpty() && document.keySet().iterator().next().startsWith("$");
    }

    private Expression parseOperator(Document document) {
        String name = document.keySet().iterator().next();
        if (document.size() != 1) {
            throw new CommandError(
                    15983,
                    "An object representing an expression must have exactly one field: " + ShellText.of(document));
        }
        Expression parsed = Operators.named(name).parse(name, document.get(name), this);
        return parsed instanceof Expression.Constant ? parsed : counted(parsed);
    }

    private static Expression counted(Expression operator) {
        return scope -> {
            scope.countEvaluation();
            return operator.evaluate(scope);
        };
    }

    private Expression parsePath(String text) {
        if (!text.startsWith("$$")) {
            return new Expression.Path("", checkedPath(text.substring(1)));
        }
        int dot = text.indexOf('.');
        String variable = dot < 0 ? text.substring(2) : text.substring(2, dot);
        checkVariable(variable);
        return new Expression.Path(variable, dot < 0 ? null : checkedPath(text.substring(dot + 1)));
    }

    private void checkVariable(String name) {
        if (name.isEmpty()) {
            throw new CommandError(16869, "empty variable names are not allowed");
        }
        if (!variables.contains(name) && !BUILT_IN.contains(name)) {
            throw Scope.undefined(name);
        }
    }

    private static FieldPath checkedPath(String text) {
        if (text.isEmpty()) {
            throw new CommandError(16872, "'$' by itself is not a valid FieldPath");
        }
        return FieldPath.checked(text);
    }

    private static void checkFieldName(String name) {
        if (name.indexOf('.') >= 0) {
            throw new CommandError(16412, "FieldPath field names may not contain '.'.");
        }
        FieldPath.checkPart(name);
    }
}
