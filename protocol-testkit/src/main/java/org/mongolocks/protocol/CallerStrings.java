package org.mongolocks.protocol;

import java.util.List;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.mongolocks.spi.MongoOp;

/**
 * The check for strings of callers in places where the server would evaluate them as an expression or as the name of a
 * field.
 */
final class CallerStrings {
    private static final List<String> CALLER =
            List.of(Scene.NAME.value(), Scene.ME.stored(), Scene.OTHER.stored(), "$host", "$thread", "$note");

    private CallerStrings() {}

    static boolean areEvaluated(MongoOp op) {
        return Parts.of(op).anyMatch(CallerStrings::areEvaluatedInOne);
    }

    private static boolean areEvaluatedInOne(MongoOp op) {
        BsonDocument command = Commands.of(op);
        return names(command).anyMatch(CallerStrings::isCallers)
                || evaluated(command, "projection")
                || evaluated(command, "fields")
                || (Parts.isByPipeline(op) && evaluated(command, "update"))
                || (command.get("query") instanceof BsonDocument query && evaluated(query, "$expr"))
                || (command.get("filter") instanceof BsonDocument filter && evaluated(filter, "$expr"));
    }

    private static boolean evaluated(BsonDocument command, String part) {
        BsonValue value = command.get(part);
        return value != null && strings(value).anyMatch(CallerStrings::isCallers);
    }

    /** All strings in an expression, except those under {@code $literal}. */
    private static Stream<String> strings(BsonValue value) {
        if (value instanceof BsonDocument document) {
            return document.entrySet().stream()
                    .filter(field -> !field.getKey().equals("$literal"))
                    .flatMap(field -> strings(field.getValue()));
        }
        if (value.isArray()) {
            return value.asArray().stream().flatMap(CallerStrings::strings);
        }
        return value.isString() ? Stream.of(value.asString().getValue()) : Stream.of();
    }

    private static Stream<String> names(BsonValue value) {
        if (value instanceof BsonDocument document) {
            return document.entrySet().stream()
                    .flatMap(field -> Stream.concat(Stream.of(field.getKey()), names(field.getValue())));
        }
        return value.isArray() ? value.asArray().stream().flatMap(CallerStrings::names) : Stream.of();
    }

    private static boolean isCallers(String found) {
        return CALLER.stream().anyMatch(found::contains);
    }
}
