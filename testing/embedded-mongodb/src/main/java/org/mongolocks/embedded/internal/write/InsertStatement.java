package org.mongolocks.embedded.internal.write;

import de.bwaldvogel.mongo.bson.BsonRegularExpression;
import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
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

    /** The document as it is stored: with an {@code _id}, in the first place. */
    private static Document prepared(Call call, Document document) {
        check(document);
        if (!document.isEmpty() && document.keySet().iterator().next().equals("_id")) {
            return document;
        }
        Document prepared = new Document("_id", call.server().ids().objectId());
        prepared.putAll(document);
        return prepared;
    }

    private static void check(Document document) {
        int size = BsonSize.of(document);
        if (size > BsonSize.MAX_DOCUMENT) {
            throw CommandError.badValue(
                    "object to insert too large. size in bytes: " + size + ", max size: " + BsonSize.MAX_DOCUMENT);
        }
        for (String name : document.keySet()) {
            if (name.startsWith("$")) {
                throw CommandError.badValue("Document can't have $ prefixed field names: " + name);
            }
        }
        checkId(document.get("_id"));
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
}
