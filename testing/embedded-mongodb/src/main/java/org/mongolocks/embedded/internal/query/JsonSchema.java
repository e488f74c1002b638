package org.mongolocks.embedded.internal.query;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Map.Entry;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.query.Filter.MatchDetails;

/** The conditions of {@code $jsonSchema} on a value; a keyword for another type of value is ignored. */
record JsonSchema(List<Predicate<@Nullable Object>> rules) {
    private static final Set<String> ANNOTATIONS = Set.of("title", "description");
    private static final Set<String> UNSUPPORTED = Set.of("""
            additionalItems additionalProperties allOf anyOf dependencies encrypt encryptMetadata items maxItems
            maxLength maxProperties minItems minLength minProperties multipleOf not oneOf pattern patternProperties
            uniqueItems""".split("\\s+"));

    static JsonSchema parse(@Nullable Object value) {
        Document schema = typed("$jsonSchema", value, Document.class);
        if (schema.containsKey("type") && schema.containsKey("bsonType")) {
            throw CommandError.failedToParse("Cannot specify both $jsonSchema keywords 'type' and 'bsonType'");
        }
        List<Predicate<@Nullable Object>> rules = new ArrayList<>();
        for (Entry<String, Object> keyword : schema.entrySet()) {
            rules.add(rule(keyword.getKey(), keyword.getValue(), schema));
        }
        return new JsonSchema(rules);
    }

    private static Predicate<@Nullable Object> rule(String keyword, @Nullable Object argument, Document schema) {
        return switch (keyword) {
            case "required" -> required(strings(keyword, argument));
            case "properties" -> properties(typed(keyword, argument, Document.class));
            case "bsonType", "type" -> type(keyword, argument);
            case "enum" -> oneOf(typed(keyword, argument, List.class));
            case "minimum", "maximum" -> bound(keyword, argument, schema);
            case "exclusiveMinimum", "exclusiveMaximum" -> exclusive(keyword, argument, schema);
            default -> annotation(keyword, argument);
        };
    }

    private static Predicate<@Nullable Object> required(List<String> names) {
        return value ->
                !(value instanceof Document document) || document.keySet().containsAll(names);
    }

    private static Predicate<@Nullable Object> properties(Document properties) {
        Map<String, JsonSchema> schemas = new LinkedHashMap<>();
        properties.forEach((name, schema) -> schemas.put(name, parse(schema)));
        return value -> !(value instanceof Document document)
                || schemas.entrySet().stream().allMatch(schema -> isMet(document, schema.getKey(), schema.getValue()));
    }

    private static boolean isMet(Document document, String name, JsonSchema schema) {
        Object value = document.getOrMissing(name);
        return Values.isMissing(value) || schema.matches(value);
    }

    private static Predicate<@Nullable Object> type(String keyword, @Nullable Object argument) {
        List<String> names = argument instanceof String name ? List.of(name) : strings(keyword, argument);
        List<TypeTest> types = new ArrayList<>();
        for (String name : names) {
            types.add(TypeTest.of(keyword, keyword.equals("type") ? jsonType(name) : name));
        }
        return value -> types.stream().anyMatch(type -> type.test(value, new MatchDetails()));
    }

    private static String jsonType(String name) {
        return switch (name) {
            case "object", "array", "number", "string", "null" -> name;
            case "boolean" -> "bool";
            case "integer" ->
                throw CommandError.failedToParse("$jsonSchema type 'integer' is not currently supported.");
            default -> throw CommandError.badValue("Unknown type name alias: " + name);
        };
    }

    private static Predicate<@Nullable Object> oneOf(List<?> values) {
        if (values.isEmpty()) {
            throw CommandError.failedToParse("$jsonSchema keyword 'enum' cannot be an empty array");
        }
        return value -> values.stream().anyMatch(allowed -> ValueOrder.same(allowed, value));
    }

    private static Predicate<@Nullable Object> bound(String keyword, @Nullable Object argument, Document schema) {
        Number bound = typed(keyword, argument, Number.class);
        boolean isMinimum = keyword.equals("minimum");
        boolean isExclusive = Values.isTrue(schema.get(isMinimum ? "exclusiveMinimum" : "exclusiveMaximum"));
        return value -> {
            int order = ValueOrder.compare(value, bound) * (isMinimum ? 1 : -1);
            return !(value instanceof Number) || order > 0 || (order == 0 && !isExclusive);
        };
    }

    private static Predicate<@Nullable Object> exclusive(String keyword, @Nullable Object argument, Document schema) {
        typed(keyword, argument, Boolean.class);
        String bound = keyword.equals("exclusiveMinimum") ? "minimum" : "maximum";
        if (!schema.containsKey(bound)) {
            throw CommandError.failedToParse(
                    "$jsonSchema keyword '" + bound + "' must be a present if " + keyword + " is present");
        }
        return value -> true;
    }

    private static Predicate<@Nullable Object> annotation(String keyword, @Nullable Object argument) {
        if (UNSUPPORTED.contains(keyword)) {
            throw CommandError.unsupported("The $jsonSchema keyword '" + keyword + "'");
        }
        if (!ANNOTATIONS.contains(keyword)) {
            throw CommandError.failedToParse("Unknown $jsonSchema keyword: " + keyword);
        }
        typed(keyword, argument, String.class);
        return value -> true;
    }

    private static List<String> strings(String keyword, @Nullable Object argument) {
        List<?> array = typed(keyword, argument, List.class);
        if (array.isEmpty()) {
            throw CommandError.failedToParse("$jsonSchema keyword '" + keyword + "' cannot be an empty array");
        }
        List<String> strings = new ArrayList<>();
        for (Object element : (Collection<?>) array) {
            strings.add(typed(keyword, element, String.class));
        }
        return strings;
    }

    private static <T> T typed(String keyword, @Nullable Object argument, Class<T> type) {
        if (type.isInstance(argument)) {
            return type.cast(argument);
        }
        throw CommandError.typeMismatch(
                "$jsonSchema keyword '" + keyword + "' has the wrong type " + BsonKind.nameOf(argument));
    }

    boolean matches(@Nullable Object value) {
        return rules.stream().allMatch(rule -> rule.test(value));
    }
}
