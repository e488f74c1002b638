package org.mongolocks.study.sim.driver;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.bson.BsonDocument;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Short descriptions of commands and replies. */
final class CommandText {
    private static final int MAX_VALUE = 24;

    private CommandText() {}

    /** Returns the name of a command. */
    static String name(BsonDocument command) {
        return command.getFirstKey();
    }

    /** Describes the collection, the filter, and whether it is part of a transaction. */
    static String about(BsonDocument command) {
        BsonValue target = command.get(command.getFirstKey());
        String collection =
                target != null && target.isString() ? target.asString().getValue() + " " : "";
        String filter = filters(command).stream().map(CommandText::shortly).collect(Collectors.joining(" and "));
        String transaction = command.containsKey("autocommit") && !collection.isEmpty() ? " in a transaction" : "";
        return (collection + filter + transaction).strip();
    }

    private static List<BsonDocument> filters(BsonDocument command) {
        if (command.containsKey("filter") || command.containsKey("query")) {
            return List.of(command.getDocument(command.containsKey("filter") ? "filter" : "query"));
        }
        if (command.containsKey("documents")) {
            BsonDocument document = command.getArray("documents").get(0).asDocument();
            return List.of(document);
        }
        return Map.of("updates", "q", "deletes", "q").entrySet().stream()
                .filter(list -> command.containsKey(list.getKey()))
                .flatMap(list -> command.getArray(list.getKey()).stream()
                        .map(each -> each.asDocument().getDocument(list.getValue())))
                .toList();
    }

    private static String shortly(BsonDocument document) {
        return document.entrySet().stream()
                .map(field -> field.getKey() + ": " + shortly(field.getValue()))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    private static String shortly(BsonValue value) {
        return switch (value.getBsonType()) {
            case STRING -> abbreviated(value.asString().getValue());
            case INT32, INT64 -> Long.toString(value.asNumber().longValue());
            case BOOLEAN -> Boolean.toString(value.asBoolean().getValue());
            case BINARY -> "…" + tail(value.asBinary().asUuid().toString());
            case OBJECT_ID -> "…" + tail(value.asObjectId().getValue().toHexString());
            case NULL -> "null";
            case DATE_TIME -> "a time";
            case DOCUMENT ->
                value.asDocument().isEmpty() ? "{}" : "{" + value.asDocument().getFirstKey() + " …}";
            default -> "…";
        };
    }

    private static String tail(String text) {
        return text.substring(text.length() - 4);
    }

    private static String abbreviated(String text) {
        return text.length() <= MAX_VALUE ? text : text.substring(0, MAX_VALUE - 1) + "…";
    }

    /** Describes the server's reply. */
    static String result(Document reply) {
        if (number(reply.get("ok")) == 0) {
            return "error " + reply.get("code") + " " + reply.getOrDefault("codeName", "");
        }
        if (reply.get("writeErrors") instanceof Collection<?> errors
                && errors.iterator().next() instanceof Document first) {
            return "error " + first.get("code") + (number(first.get("code")) == 11000 ? " duplicate key" : "");
        }
        if (reply.get("writeConcernError") instanceof Document concernError) {
            return "done, write concern error " + concernError.get("code");
        }
        return found(reply);
    }

    private static String found(Document reply) {
        if (reply.get("cursor") instanceof Document cursor && cursor.get("firstBatch") instanceof Collection<?> batch) {
            return batch.isEmpty() ? "found nothing" : "found " + batch.size();
        }
        if (reply.containsKey("value")) {
            return reply.get("value") == null ? "found nothing" : "done";
        }
        return reply.containsKey("n") ? "n: " + reply.get("n") : "done";
    }

    private static long number(@Nullable Object value) {
        return value instanceof Number number ? number.longValue() : -1;
    }
}
