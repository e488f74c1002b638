package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.BsonKind;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.cursor.Cursors;
import org.mongolocks.embedded.internal.cursor.DocumentSource.Tailing;
import org.mongolocks.embedded.internal.cursor.OpenCursor;
import org.mongolocks.embedded.internal.engine.Admission;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.engine.Park;
import org.mongolocks.embedded.internal.engine.StableApi;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;

/** getMore: the next batch of a cursor; on a change stream it waits for one. */
final class GetMoreCommand {
    private static final long DEFAULT_AWAIT_MILLIS = 1000;
    private static final Set<String> KNOWN = Set.of("collection", "batchSize", "term", "lastKnownCommittedOpTime");

    private final Call call;
    private final Fields fields;
    private final long id;
    private final Namespace namespace;
    private final long awaitMillis;

    private GetMoreCommand(Call call) {
        this.call = call;
        this.fields = Fields.ofCommand(call.command(), KNOWN, ErrorCode.FAILED_TO_PARSE);
        this.id = typed("getMore", Long.class, "of type long");
        if (!fields.has("collection")) {
            throw CommandError.failedToParse("Field 'collection' missing");
        }
        this.namespace = new Namespace(call.db(), typed("collection", String.class, "of type string"));
        this.awaitMillis = Admission.timeLimit(call.command().getOrDefault("maxTimeMS", 0));
    }

    private <T> T typed(String field, Class<T> type, String expected) {
        Object value = fields.get(field);
        if (!type.isInstance(value)) {
            throw CommandError.typeMismatch(
                    "Field '" + field + "' must be " + expected + ", found " + BsonKind.nameOf(value));
        }
        return type.cast(value);
    }

    static void check(Call call) {
        new GetMoreCommand(call).batchSize();
    }

    static Document run(Call call) {
        return new GetMoreCommand(call).run();
    }

    private Document run() {
        long size = batchSize();
        OpenCursor cursor = find();
        check(cursor);
        if (cursor.source() instanceof Tailing) {
            call.readChangeStream();
        }
        try {
            List<Document> batch = cursor.take(size);
            if (batch.isEmpty() && cursor.source() instanceof Tailing tail && !tail.isAtEnd()) {
                await(cursor, tail);
            }
            return reply(cursor, batch, size);
        } catch (CommandError error) {
            call.server().cursors().close(id);
            throw error;
        }
    }

    private long batchSize() {
        if (id == 0) {
            throw CommandError.badValue("Cursor id for getMore must be non-zero");
        }
        if (!fields.has("batchSize")) {
            return Long.MAX_VALUE;
        }
        long size = Numbers.whole(typed("batchSize", Number.class, "a number"));
        if (size <= 0) {
            throw CommandError.badValue("Batch size for getMore must be positive, but received: " + size);
        }
        return size;
    }

    private OpenCursor find() {
        OpenCursor cursor = call.server().cursors().find(id);
        if (cursor == null) {
            throw call.isContinued()
                    ? new CommandError(ErrorCode.CURSOR_KILLED, "operation was interrupted")
                    : new CommandError(ErrorCode.CURSOR_NOT_FOUND, "cursor id " + id + " not found");
        }
        if (!namespace.equals(cursor.namespace())) {
            throw new CommandError(
                    ErrorCode.UNAUTHORIZED,
                    "Requested getMore on namespace '" + namespace + "', but cursor belongs to a different namespace "
                            + cursor.namespace());
        }
        return cursor;
    }

    private void check(OpenCursor cursor) {
        checkSession(cursor.owner());
        StableApi.checkSame(call, cursor.owner().api(), "the cursor-creating command");
        if (cursor.isInUse() && !call.isContinued()) {
            throw new CommandError(ErrorCode.CURSOR_IN_USE, "cursor id " + id + " is already in use");
        }
        boolean isTailing = cursor.source() instanceof Tailing;
        if (awaitMillis > 0 && !isTailing) {
            throw CommandError.badValue("cannot set maxTimeMS on getMore command for a non-awaitData cursor");
        }
        UUID collection = cursor.owner().collection();
        CollectionState now =
                collection == null ? null : call.workspace().catalog().get(cursor.namespace());
        if (collection != null && (now == null || !now.uuid().equals(collection))) {
            call.server().cursors().close(id);
            throw new CommandError(ErrorCode.QUERY_PLAN_KILLED, "collection dropped. UUID " + collection);
        }
    }

    private void checkSession(OpenCursor.Owner owner) {
        UUID session = call.options().session();
        Long txnNumber = call.options().isTransaction() ? call.options().txnNumber() : null;
        refuse(session == null || owner.session() != null, 50736, "which was not created in a session");
        refuse(session != null || owner.session() == null, 50737, "which was created in a session");
        refuse(Objects.equals(session, owner.session()), 50738, "which was created in another session");
        refuse(txnNumber == null || owner.txnNumber() != null, 50739, "which was not created in a transaction");
        refuse(txnNumber != null || owner.txnNumber() == null, 50740, "which was created in a transaction");
        refuse(Objects.equals(txnNumber, owner.txnNumber()), 50741, "which was created in another transaction");
    }

    private void refuse(boolean unless, int code, String why) {
        if (!unless) {
            throw new CommandError(code, "Cannot run getMore on cursor " + id + ", " + why);
        }
    }

    private void await(OpenCursor cursor, Tailing tail) {
        long now = call.server().now();
        long millis = awaitMillis > 0 ? awaitMillis : DEFAULT_AWAIT_MILLIS;
        long until = call.progress(Long.class, () -> now + millis);
        if (now < until) {
            cursor.use(now, true);
            Cursors cursors = call.server().cursors();
            throw Park.forEventUntil(() -> tail.hasNews() || cursors.find(id) == null, until);
        }
    }

    private Document reply(OpenCursor cursor, List<Document> batch, long size) {
        cursor.use(call.server().now(), false);
        // The end of a stream is found where one looks for a further event.
        boolean isLast = !(cursor.source() instanceof Tailing) || batch.size() < size;
        boolean isAtEnd = isLast && cursor.isAtEnd();
        if (isAtEnd) {
            call.server().cursors().close(id);
        }
        Document reply = CursorReply.of("nextBatch", batch, isAtEnd ? 0L : id, cursor.namespace());
        return withPosition(reply, cursor);
    }

    private static Document withPosition(Document reply, OpenCursor cursor) {
        if (cursor.source() instanceof Tailing tail && reply.get("cursor") instanceof Document inner) {
            inner.put("postBatchResumeToken", tail.position());
        }
        return reply;
    }

    /** killCursors. */
    static Document kill(Call call) {
        Fields fields = Fields.ofLenient(call.command());
        List<?> ids = fields.array("cursors");
        if (ids == null || ids.isEmpty()) {
            throw CommandError.badValue("Must specify at least one cursor to kill");
        }
        List<@Nullable Object> killed = new ArrayList<>();
        List<@Nullable Object> unknown = new ArrayList<>();
        for (Object cursor : ids) {
            if (!(cursor instanceof Long number)) {
                throw CommandError.failedToParse("Field 'cursors' contains an element that is not a long");
            }
            (call.server().cursors().close(number) ? killed : unknown).add(number);
        }
        return new Document("cursorsKilled", killed)
                .append("cursorsNotFound", unknown)
                .append("cursorsAlive", List.of())
                .append("cursorsUnknown", List.of());
    }
}
