package org.mongolocks.embedded.internal.write;

import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonSize;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;

/** Inserts a document that a client sent. */
public final class InsertStatement {
    private InsertStatement() {}

    /** Inserts a document, and gives it as it is stored. */
    public static Document execute(Call call, Namespace namespace, Document document) {
        Document prepared = prepared(call, document);
        CollectionState collection = CollectionAccess.forInsert(call, namespace);
        call.workspace().insert(collection, prepared);
        return prepared;
    }

    /** The document as it is stored: with an {@code _id}, in the first place, and with the timestamps that it asks for. */
    private static Document prepared(Call call, Document document) {
        boolean hasEmptyTimestamp = check(document);
        boolean isIdFirst =
                !document.isEmpty() && document.keySet().iterator().next().equals("_id");
        if (isIdFirst && !hasEmptyTimestamp) {
            return document;
        }
        boolean hasId = document.containsKey("_id");
        Document prepared = new Document(
                "_id", hasId ? document.get("_id") : call.server().ids().objectId());
        for (Entry<String, Object> field : document.entrySet()) {
            if (!field.getKey().equals("_id")) {
                boolean isEmpty = isEmptyTimestamp(field.getValue());
                prepared.put(
                        field.getKey(), isEmpty ? call.server().store().clock().tick() : field.getValue());
            }
        }
        return prepared;
    }

    private static boolean check(Document document) {
        int size = BsonSize.of(document);
        if (size > BsonSize.MAX_DOCUMENT) {
            throw CommandError.badValue(
                    "object to insert too large. size in bytes: " + size + ", max size: " + BsonSize.MAX_DOCUMENT);
        }
        if (BsonSize.exceedsNesting(document, BsonSize.MAX_NESTING)) {
            throw new CommandError(
                    ErrorCode.OVERFLOW,
                    "cannot insert document because it exceeds " + BsonSize.MAX_NESTING + " levels of nesting");
        }
        boolean hasEmptyTimestamp = false;
        for (Entry<String, Object> field : document.entrySet()) {
            if (field.getKey().startsWith("$")) {
                throw CommandError.badValue("Document can't have $ prefixed field names: " + field.getKey());
            }
            hasEmptyTimestamp |= !field.getKey().equals("_id") && isEmptyTimestamp(field.getValue());
        }
        checkId(document.get("_id"));
        return hasEmptyTimestamp;
    }

    private static void checkId(@Nullable Object id) {
        if (id instanceof BsonRegularExpression) {
            throw CommandError.badValue("can't use a regex for _id");
        }
        if (id instanceof List) {
            throw CommandError.badValue("can't use an array for _id");
        }
        if (id instanceof Document document) {
            for (String name : document.keySet()) {
                if (name.startsWith("$")) {
                    throw new CommandError(ErrorCode.DOLLAR_PREFIXED_FIELD_NAME, name + " is not valid for storage.");
                }
            }
        }
    }

    private static boolean isEmptyTimestamp(@Nullable Object value) {
        return value instanceof BsonTimestamp timestamp && timestamp.getValue() == 0;
    }
}
