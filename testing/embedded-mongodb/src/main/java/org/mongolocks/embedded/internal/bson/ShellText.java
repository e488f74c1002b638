package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.time.Instant;
import java.util.Collection;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Values as the mongo shell would write them, for the messages of errors. */
public final class ShellText {
    private ShellText() {}

    public static String of(@Nullable Object value) {
        return value == null ? "null" : ofPresent(value);
    }

    private static String ofPresent(Object value) {
        return switch (BsonKind.of(value)) {
            case OBJECT -> document((Document) value);
            case ARRAY -> array((Collection<?>) value);
            case STRING -> '"' + (String) value + '"';
            case DATE -> "new Date(" + ((Instant) value).toEpochMilli() + ')';
            case OBJECT_ID -> "ObjectId('" + ((ObjectId) value).getHexData() + "')";
            case TIMESTAMP -> timestamp((BsonTimestamp) value);
            case REGEX -> '/' + ((BsonRegularExpression) value).getPattern() + '/';
            case BIN_DATA -> "BinData(" + ValueOrder.binarySubtype(value) + ')';
            case MIN_KEY -> "MinKey";
            case MAX_KEY -> "MaxKey";
            case MISSING -> "MISSING";
            case NULL, INT, LONG, DOUBLE, DECIMAL, BOOL -> String.valueOf(value);
        };
    }

    private static String timestamp(BsonTimestamp value) {
        return "Timestamp(" + Integer.toUnsignedString(value.getTime()) + ", " + value.getInc() + ')';
    }

    /** A field with its value: {@code name: value}. */
    public static String field(String name, @Nullable Object value) {
        return name + ": " + of(value);
    }

    private static String document(Document document) {
        return document.entrySet().stream()
                .map(entry -> field(entry.getKey(), entry.getValue()))
                .collect(Collectors.joining(", ", document.isEmpty() ? "{" : "{ ", document.isEmpty() ? "}" : " }"));
    }

    private static String array(Collection<?> array) {
        return array.stream().map(ShellText::of).collect(Collectors.joining(", ", "[ ", " ]"));
    }
}
