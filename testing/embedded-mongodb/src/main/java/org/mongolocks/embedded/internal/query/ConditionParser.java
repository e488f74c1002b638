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
import org.mongolocks.embedded.internal.query.ValueTest.RegexTest;

/** Reads what a filter says about one field: a value to equal, or operators. */
final class ConditionParser {
    private static final Set<String> REFERENCE_FIELDS = Set.of("$ref", "$id", "$db");
    private static final Set<String> UNSUPPORTED = Set.of("""
            $all $bitsAllClear $bitsAllSet $bitsAnyClear $bitsAnySet $geoIntersects $geoNear $geoWithin $mod $near
            $nearSphere $within""".split("\\s+"));

    private final FilterParser filters;
    private final String path;

    ConditionParser(FilterParser filters, String path) {
        this.filters = filters;
        this.path = path;
    }

    Condition parse(@Nullable Object value) {
        if (value instanceof Document document && isOperators(document)) {
            return parseOperators(document);
        }
        return value instanceof BsonRegularExpression bsonRegularExpression
                ? new Condition.Single(RegexTest.of(bsonRegularExpression))
                : comparison(Relation.EQ, value);
    }

    static boolean isOperators(@Nullable Object value) {
        if (!(value instanceof Document document) || document.isEmpty()) {
            return false;
        }
        String first = document.keySet().iterator().next();
        return first.startsWith("$") && !REFERENCE_FIELDS.contains(first);
    }

    Condition parseOperators(Document operators) {
        if (operators.size() == 1) {
            Entry<String, Object> only = operators.entrySet().iterator().next();
            return parseOperator(only.getKey(), only.getValue(), operators);
        }
        List<Condition> parts = new ArrayList<>();
        for (Entry<String, Object> entry : operators.entrySet()) {
            parts.add(parseOperator(entry.getKey(), entry.getValue(), operators));
        }
        return new Condition.All(parts);
    }

    private Condition parseOperator(String operator, @Nullable Object value, Document siblings) {
        return switch (operator) {
            case "$eq" -> comparison(Relation.EQ, value);
            case "$lt" -> comparison(Relation.LT, value);
            case "$lte" -> comparison(Relation.LTE, value);
            case "$gt" -> comparison(Relation.GT, value);
            case "$gte" -> comparison(Relation.GTE, value);
            case "$ne" -> new Condition.Not(notEqual(value));
            case "$in" -> new Condition.Single(oneOf("$in", value));
            case "$nin" -> new Condition.Not(new Condition.Single(oneOf("$nin", value)));
            case "$not" -> parseNot(value);
            case "$exists" -> parseExists(value);
            default -> parseRarer(operator, value, siblings);
        };
    }

    private Condition parseRarer(String operator, @Nullable Object value, Document siblings) {
        return switch (operator) {
            case "$elemMatch" -> parseElemMatch(value);
            case "$size" -> new Condition.Single(new ValueTest.Size(size(value)));
            case "$type" -> new Condition.Single(TypeTest.of(path, value));
            case "$regex" -> parseRegex(value, siblings);
            case "$options" -> parseOptions(siblings);
            case "$comment" -> new Condition.All(List.of());
            default -> throw unknown(operator);
        };
    }

    private static CommandError unknown(String operator) {
        return UNSUPPORTED.contains(operator)
                ? CommandError.unsupported(operator)
                : CommandError.badValue("unknown operator: " + operator);
    }

    private Condition comparison(Relation relation, @Nullable Object value) {
        if (relation != Relation.EQ && value instanceof BsonRegularExpression) {
            throw CommandError.badValue("Can't have RegEx as arg to predicate over field '" + path + "'.");
        }
        return new Condition.Single(new Comparison(relation, value));
    }

    private Condition notEqual(@Nullable Object value) {
        if (value instanceof BsonRegularExpression) {
            throw CommandError.badValue("Can't have regex as arg to $ne.");
        }
        return comparison(Relation.EQ, value);
    }

    private static OneOf oneOf(String operator, @Nullable Object value) {
        if (!(value instanceof Collection)) {
            throw CommandError.badValue(operator + " needs an array");
        }
        for (Object candidate : (Collection<?>) value) {
            if (isOperators(candidate)) {
                throw CommandError.badValue("cannot nest $ under " + operator);
            }
        }
        return new OneOf((Collection<?>) value);
    }

    private Condition parseNot(@Nullable Object value) {
        if (value instanceof BsonRegularExpression bsonRegularExpression) {
            return new Condition.Not(new Condition.Single(RegexTest.of(bsonRegularExpression)));
        }
        if (!(value instanceof Document document)) {
            throw CommandError.badValue("$not needs a regex or a document");
        }
        if (document.isEmpty()) {
            throw CommandError.badValue("$not cannot be empty");
        }
        return new Condition.Not(parseOperators(document));
    }

    private static Condition parseExists(@Nullable Object value) {
        Condition exists = new Condition.Single(new ValueTest.Exists());
        return Values.isTrue(value) ? exists : new Condition.Not(exists);
    }

    Condition parseElemMatch(@Nullable Object value) {
        if (!(value instanceof Document inner)) {
            throw CommandError.badValue("$elemMatch needs an Object");
        }

        boolean isOnValues = isOperators(inner)
                && !Set.of("$and", "$or", "$nor", "$where", "$expr")
                        .contains(inner.keySet().iterator().next());
        return new Condition.Single(
                isOnValues
                        ? new ValueTest.ElementMeeting(parseOperators(inner))
                        : new ValueTest.ElementMatching(filters.parseForElements(inner)));
    }

    private static long size(@Nullable Object value) {
        if (!(value instanceof Number number)) {
            throw CommandError.badValue("$size needs a number");
        }
        double size = number.doubleValue();
        if (size < 0) {
            throw CommandError.badValue("$size may not be negative");
        }
        if (size != Math.rint(size)) {
            throw CommandError.badValue("$size must be a whole number");
        }
        return (long) size;
    }

    private static Condition parseRegex(@Nullable Object value, Document siblings) {
        boolean hasOptions = siblings.containsKey("$options");
        if (value instanceof BsonRegularExpression bsonRegularExpression && !hasOptions) {
            return new Condition.Single(RegexTest.of(bsonRegularExpression));
        }
        if (hasOptions && !(siblings.get("$options") instanceof String)) {
            throw CommandError.badValue("$options has to be a string");
        }
        String options = hasOptions ? String.valueOf(siblings.get("$options")) : "";
        return new Condition.Single(RegexTest.of(new BsonRegularExpression(pattern(value, options), options)));
    }

    private static String pattern(@Nullable Object value, String options) {
        if (value instanceof String string) {
            return string;
        }
        if (!(value instanceof BsonRegularExpression regex)) {
            throw CommandError.badValue("$regex has to be a string");
        }

        if (regex.getOptions() != null && !regex.getOptions().isEmpty()) {
            throw new CommandError(51075, "options set in both $regex and $options: " + options);
        }
        return regex.getPattern();
    }

    // The options were read together with the pattern, wherever it stands.
    private static Condition parseOptions(Document siblings) {
        if (!siblings.containsKey("$regex")) {
            throw CommandError.badValue("$options needs a $regex");
        }
        return new Condition.All(List.of());
    }
}
