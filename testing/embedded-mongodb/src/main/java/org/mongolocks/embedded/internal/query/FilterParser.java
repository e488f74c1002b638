package org.mongolocks.embedded.internal.query;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.FieldPath;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.ExpressionParser;
import org.mongolocks.embedded.internal.expression.Scope;

/** Reads a filter document. */
public final class FilterParser {
    private final Scope scope;
    private final boolean allowsExpressions;

    private FilterParser(Scope scope, boolean allowsExpressions) {
        this.scope = scope;
        this.allowsExpressions = allowsExpressions;
    }

    /**
     * Reads a filter.
     *
     * @param scope the variables that {@code $expr} may use
     */
    public static Filter parse(Document filter, Scope scope) {
        return new FilterParser(scope, true).parse(filter);
    }

    /** Whether a query is for one value of {@code _id} and for nothing else. */
    public static boolean isById(Document query) {
        return query.size() == 1 && query.containsKey("_id") && !ConditionParser.isOperators(query.get("_id"));
    }

    /** Reads the filter of an upsert, which may not say {@code $expr}. */
    public static Filter parseForUpsert(Document filter, Scope scope) {
        return new FilterParser(scope, false).parse(filter);
    }

    private Filter parse(Document filter) {
        if (filter.size() == 1) {
            Entry<String, Object> only = filter.entrySet().iterator().next();
            return parse(only.getKey(), only.getValue());
        }
        List<Filter> parts = new ArrayList<>(filter.size());
        for (Entry<String, Object> entry : filter.entrySet()) {
            parts.add(parse(entry.getKey(), entry.getValue()));
        }
        return new Filter.And(parts);
    }

    private Filter parse(String key, @Nullable Object value) {
        if (key.startsWith("$")) {
            return parseOperator(key, value);
        }
        return new Filter.Field(FieldPath.of(key), ConditionParser.parse(value));
    }

    private Filter parseOperator(String operator, @Nullable Object value) {
        return switch (operator) {
            case "$and" -> new Filter.And(parseAll(operator, value));
            case "$or" -> new Filter.Or(parseAll(operator, value));
            case "$nor" -> new Filter.Nor(new Filter.Or(parseAll(operator, value)));
            case "$expr" -> parseExpression(value);
            case "$comment", "$alwaysTrue", "$alwaysFalse", "$jsonSchema", "$where", "$text" ->
                throw CommandError.unsupported(operator);
            default -> throw CommandError.badValue("unknown top level operator: " + operator);
        };
    }

    private List<Filter> parseAll(String operator, @Nullable Object value) {
        if (!(value instanceof Collection)) {
            throw CommandError.badValue(operator + " must be an array");
        }
        if (((Collection<?>) value).isEmpty()) {
            throw CommandError.badValue("$and/$or/$nor must be a nonempty array");
        }
        List<Filter> parts = new ArrayList<>();
        for (Object part : (Collection<?>) value) {
            if (!(part instanceof Document document)) {
                throw CommandError.badValue("$or/$and/$nor entries need to be full objects");
            }
            parts.add(parse(document));
        }
        return parts;
    }

    private Filter parseExpression(@Nullable Object value) {
        if (!allowsExpressions) {
            throw new CommandError(
                    ErrorCode.QUERY_FEATURE_NOT_ALLOWED, "$expr is not allowed in the query predicate for an upsert");
        }
        return new Filter.Expr(new ExpressionParser().parse(value), scope);
    }
}
