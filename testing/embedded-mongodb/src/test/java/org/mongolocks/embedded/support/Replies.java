package org.mongolocks.embedded.support;

import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.BsonValue;
import org.jspecify.annotations.Nullable;

/** Reads what tests ask about in replies. */
public final class Replies {
    private Replies() {}

    /** The error code of a command; zero if it has none. */
    public static int code(BsonDocument reply) {
        return reply.containsKey("code") ? reply.getInt32("code").getValue() : 0;
    }

    /** The error code of the first statement that failed; zero if none has. */
    public static int writeErrorCode(BsonDocument reply) {
        return reply.containsKey("writeErrors")
                ? code(reply.getArray("writeErrors").get(0).asDocument())
                : 0;
    }

    public static List<String> labels(BsonDocument reply) {
        return reply.containsKey("errorLabels")
                ? reply.getArray("errorLabels").stream()
                        .map(label -> label.asString().getValue())
                        .toList()
                : List.of();
    }

    /** How many documents a write met. */
    public static int n(BsonDocument reply) {
        return reply.getInt32("n").getValue();
    }

    public static List<BsonDocument> batch(BsonDocument reply) {
        BsonDocument cursor = reply.getDocument("cursor");
        return cursor.getArray(cursor.containsKey("firstBatch") ? "firstBatch" : "nextBatch").stream()
                .map(BsonValue::asDocument)
                .toList();
    }

    /** The ids of the documents in a batch, as text. */
    public static List<String> ids(BsonDocument reply) {
        return batch(reply).stream().map(document -> text(document.get("_id"))).toList();
    }

    public static long cursor(BsonDocument reply) {
        return reply.getDocument("cursor").getInt64("id").getValue();
    }

    private static String text(@Nullable BsonValue value) {
        if (value instanceof BsonString string) {
            return string.getValue();
        }
        return value instanceof BsonInt32 number ? String.valueOf(number.getValue()) : String.valueOf(value);
    }
}
