package org.mongolocks.embedded.internal.query;

import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map.Entry;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.query.Comparison.Relation;

/** Reads what a filter says about one field: a value to equal, or operators. */
final class ConditionParser {
    private static final Set<String> UNSUPPORTED = Set.of("""
            $all $bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet $comment $geoIntersects $geoNear $geoWithin $mod
            $near $nearSphere $not $options $size $type $within""".split("\\s+"));

    private ConditionParser() {}

    static Condition parse(@Nullable Object value) {
        if (value instanceof Document document && isOperators(document)) {
            return parseOperators(document);
        }
        return comparison(Relation.EQ, value);
    }

    static boolean isOperators(@Nullable Object value) {
        if (!(value instanceof Document document) || document.isEmpty()) {
            return false;
        }
        return document.keySet().iterator().next().startsWith("$");
    }

    private static Condition parseOperators(Document operators) {
        if (operators.size() == 1) {
            Entry<String, Object> only = operators.entrySet().iterator().next();
            return parseOperator(only.getKey(), only.getValue());
        }
        List<Condition> parts = new ArrayList<>();
        for (Entry<String, Object> entry : operators.entrySet()) {
            parts.add(parseOperator(entry.getKey(), entry.getValue()));
        }
        return new Condition.All(parts);
    }

    private static Condition parseOperator(String operator, @Nullable Object value) {
        return switch (operator) {
            case "$eq" -> comparison(Relation.EQ, value);
            case "$lt" -> comparison(Relation.LT, value);
            case "$lte" -> comparison(Relation.LTE, value);
            case "$gt" -> comparison(Relation.GT, value);
            case "$gte" -> comparison(Relation.GTE, value);
            case "$ne" -> new Condition.Not(comparison(Relation.EQ, value));
            case "$in" -> new Condition.Single(oneOf("$in", value));
            case "$nin" -> new Condition.Not(new Condition.Single(oneOf("$nin", value)));
            case "$exists" -> parseExists(value);
            case "$elemMatch" -> parseElemMatch(value);
            case "$regex" -> new Condition.Single(ValueTest.RegexTest.of(value));
            default -> throw unknown(operator);
        };
    }

    private static CommandError unknown(String operator) {
        return UNSUPPORTED.contains(operator)
                ? CommandError.unsupported(operator)
                : CommandError.badValue("unknown operator: " + operator);
    }

    private static Condition comparison(Relation relation, @Nullable Object value) {
        refusePattern(value);
        return new Condition.Single(new Comparison(relation, value));
    }

    private static void refusePattern(@Nullable Object value) {
        if (value instanceof BsonRegularExpression) {
            throw CommandError.unsupported("A regular expression as a value of a filter");
        }
    }

    private static ValueTest oneOf(String operator, @Nullable Object value) {
        if (!(value instanceof Collection)) {
            throw CommandError.badValue(operator + " needs an array");
        }
        for (Object candidate : (Collection<?>) value) {
            refusePattern(candidate);
            if (isOperators(candidate)) {
                throw CommandError.badValue("cannot nest $ under " + operator);
            }
        }
        return ValueTest.OneOf.of((Collection<?>) value);
    }

    private static Condition parseExists(@Nullable Object value) {
        Condition exists = new Condition.Single(new ValueTest.Exists());
        return Values.isTrue(value) ? exists : new Condition.Not(exists);
    }

    private static Condition parseElemMatch(@Nullable Object value) {
        if (!(value instanceof Document inner)) {
            throw CommandError.badValue("$elemMatch needs an Object");
        }
        if (!isOperators(inner)) {
            throw CommandError.unsupported("$elemMatch with a filter for documents");
        }
        return new Condition.Single(new ValueTest.ElementMeeting(parseOperators(inner)));
    }
}
