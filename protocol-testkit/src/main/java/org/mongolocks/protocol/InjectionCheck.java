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
final class InjectionCheck {
    private static final List<String> CALLER = List.of(
            ProtocolFixture.NAME.value(),
            ProtocolFixture.ME.stored(),
            ProtocolFixture.OTHER.stored(),
            "$host",
            "$thread",
            "$note");

    private InjectionCheck() {}

    static boolean areEvaluated(MongoOp op) {
        return OperationParts.of(op).anyMatch(InjectionCheck::areEvaluatedInOne);
    }

    private static boolean areEvaluatedInOne(MongoOp op) {
        BsonDocument command = CommandRenderer.of(op);
        return names(command).anyMatch(InjectionCheck::isCallers)
                || evaluated(command, "projection")
                || evaluated(command, "fields")
                || (OperationParts.isByPipeline(op) && evaluated(command, "update"))
                || (command.get("query") instanceof BsonDocument query && evaluated(query, "$expr"))
                || (command.get("filter") instanceof BsonDocument filter && evaluated(filter, "$expr"));
    }

    private static boolean evaluated(BsonDocument command, String part) {
        BsonValue value = command.get(part);
        return value != null && strings(value).anyMatch(InjectionCheck::isCallers);
    }

    /** All strings in an expression, except those under {@code $literal}. */
    private static Stream<String> strings(BsonValue value) {
        if (value instanceof BsonDocument document) {
            return document.entrySet().stream()
                    .filter(field -> !field.getKey().equals("$literal"))
                    .flatMap(field -> strings(field.getValue()));
        }
        if (value.isArray()) {
            return value.asArray().stream().flatMap(InjectionCheck::strings);
        }
        return value.isString() ? Stream.of(value.asString().getValue()) : Stream.of();
    }

    private static Stream<String> names(BsonValue value) {
        if (value instanceof BsonDocument document) {
            return document.entrySet().stream()
                    .flatMap(field -> Stream.concat(Stream.of(field.getKey()), names(field.getValue())));
        }
        return value.isArray() ? value.asArray().stream().flatMap(InjectionCheck::names) : Stream.of();
    }

    private static boolean isCallers(String found) {
        return CALLER.stream().anyMatch(found::contains);
    }
}
