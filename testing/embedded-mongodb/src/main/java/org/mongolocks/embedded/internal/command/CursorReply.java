package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.cursor.DocumentSource;
import org.mongolocks.embedded.internal.cursor.DocumentSource.Listed;
import org.mongolocks.embedded.internal.cursor.OpenCursor;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.storage.Namespace;

/** Replies that hold a batch of documents. */
final class CursorReply {
    private CursorReply() {}

    static Document of(String batchName, List<Document> batch, long id, Namespace namespace) {
        Document cursor = new Document(batchName, batch).append("id", id).append("ns", namespace.toString());
        return new Document("cursor", cursor);
    }

    /** Opens a cursor that belongs to the session and the transaction of the command. */
    static OpenCursor open(Call call, Namespace namespace, DocumentSource source, @Nullable UUID collection) {
        var session = call.session();
        OpenCursor.Owner owner = new OpenCursor.Owner(
                session == null ? null : session.id(),
                call.api(),
                call.options().isTransaction() ? call.options().txnNumber() : null,
                collection);
        return call.server()
                .cursors()
                .open(namespace, source, owner, call.server().now());
    }

    /** The reply of a command that lists things: the fields stand in another order there. */
    static Document ofList(Call call, List<Document> documents, Namespace namespace) {
        long size = batchSize(call.command());
        OpenCursor cursor = open(call, namespace, new Listed(documents), null);
        List<Document> batch = cursor.take(size < 0 ? Long.MAX_VALUE : size);
        boolean isAtEnd = cursor.isAtEnd();
        if (isAtEnd) {
            call.server().cursors().close(cursor.id());
        }
        Document reply = new Document("id", isAtEnd ? 0L : cursor.id())
                .append("ns", namespace.toString())
                .append("firstBatch", batch);
        return new Document("cursor", reply);
    }

    /** The batch size in the cursor options of a command, or -1 if there is none. */
    static long batchSize(Document command) {
        if (!command.containsKey("cursor")) {
            return -1;
        }
        Fields cursor = Fields.ofStatement(command.get("cursor"), "cursor", Set.of("batchSize"));
        return cursor.has("batchSize") ? cursor.count("batchSize", 0) : -1;
    }

    static long firstBatchSize(long asked) {
        return asked < 0 ? OpenCursor.DEFAULT_FIRST_BATCH : asked;
    }
}
