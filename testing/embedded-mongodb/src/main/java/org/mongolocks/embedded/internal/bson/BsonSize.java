package org.mongolocks.embedded.internal.bson;

import de.bwaldvogel.mongo.bson.BinData;
import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.Document;
import java.util.Collection;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;

/** How large documents are, in bytes as they would go over the wire. */
public final class BsonSize {
    /** The largest document that a client may store. */
    public static final int MAX_DOCUMENT = 16 * 1024 * 1024;

    private BsonSize() {}

    public static int of(Document document) {
        int size = 5;
        for (Entry<String, Object> entry : document.entrySet()) {
            size += 2 + utf8(entry.getKey()) + ofValue(entry.getValue());
        }
        return size;
    }

    private static int ofArray(Collection<?> array) {
        int size = 5;
        int index = 0;
        for (Object element : array) {
            size += 2 + Integer.toString(index++).length() + ofValue(element);
        }
        return size;
    }

    /** The size of a value without its name and type. */
    public static int ofValue(@Nullable Object value) {
        return value == null ? 0 : ofPresent(value);
    }

    private static int ofPresent(Object value) {
        return switch (BsonKind.of(value)) {
            case OBJECT -> of((Document) value);
            case ARRAY -> ofArray((Collection<?>) value);
            case STRING -> 5 + utf8((String) value);
            case INT -> 4;
            case LONG, DOUBLE, DATE, TIMESTAMP -> 8;
            case DECIMAL -> 16;
            case OBJECT_ID -> 12;
            case BOOL -> 1;
            case BIN_DATA -> 5 + (value instanceof BinData binData ? binData.getData().length : 16);
            case REGEX -> ofRegex((BsonRegularExpression) value);
            case NULL, MISSING, MIN_KEY, MAX_KEY -> 0;
        };
    }

    private static int ofRegex(BsonRegularExpression regex) {
        return 2 + utf8(regex.getPattern()) + (regex.getOptions() == null ? 0 : utf8(regex.getOptions()));
    }

    /** The length of a text in UTF-8. */
    public static int utf8(String text) {
        int bytes = text.length();
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // A surrogate pair is two chars and four bytes.
            bytes += c < 0x80 ? 0 : c < 0x800 || Character.isSurrogate(c) ? 1 : 2;
        }
        return bytes;
    }
}
