package org.mongolocks.embedded.internal.update;

import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonSize;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;

/** The rules that a stored document must obey. */
public final class StorageRules {
    private StorageRules() {}

    /** Checks a document that an update put in the place of another. */
    static void checkDocument(Document document) {
        checkFields(document, "");
        checkWhole(document);
    }

    /** Checks a value that an operator put into a document. */
    static void checkValue(@Nullable Object value, String path) {
        checkFields(value, path + '.');
    }

    /** Checks what does not depend on single fields. */
    public static void checkWhole(Document document) {
        checkId(document.get("_id"));
        checkSize(document);
    }

    /** Checks the size that a document would have. */
    public static void checkSize(Document document) {
        int size = BsonSize.of(document);
        if (size > BsonSize.MAX_DOCUMENT) {
            throw new CommandError(
                    ErrorCode.BSON_OBJECT_TOO_LARGE,
                    "BSONObj size: " + size + " is invalid. Size must be between 0 and 16793600(16MB)");
        }
    }

    private static void checkFields(@Nullable Object value, String path) {
        if (value instanceof Document document) {
            for (Entry<String, Object> field : document.entrySet()) {
                String name = field.getKey();
                if (name.startsWith("$")) {
                    throw new CommandError(
                            ErrorCode.DOLLAR_PREFIXED_FIELD_NAME,
                            "The dollar ($) prefixed field '" + name + "' in '" + path + name
                                    + "' is not valid for storage.");
                }
                checkFields(field.getValue(), path + name + '.');
            }
        } else if (value instanceof List<?> array) {
            for (Object element : array) {
                checkFields(element, path);
            }
        }
    }

    static void checkId(@Nullable Object id) {
        if (id instanceof List || id instanceof BsonRegularExpression) {
            throw new CommandError(53, "The '_id' value cannot be of type " + (id instanceof List ? "array" : "regex"));
        }
    }
}
