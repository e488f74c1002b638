package org.mongolocks.embedded.internal.change;

import de.bwaldvogel.mongo.bson.BsonTimestamp;
import de.bwaldvogel.mongo.bson.Document;
import java.util.Iterator;
import java.util.List;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.SameBytes;
import org.mongolocks.embedded.internal.cursor.DocumentSource.Tailing;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.oplog.Oplog;
import org.mongolocks.embedded.internal.oplog.Oplog.OplogEntry;
import org.mongolocks.embedded.internal.pipeline.PipelineParser;
import org.mongolocks.embedded.internal.pipeline.Stage;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.work.Store;

/** The events of a change stream, from a place in the oplog on. */
final class ChangeSource implements Tailing {
    private final Store store;
    private final Namespace watched;
    private final EventWriter writer;
    private final List<Stage> stages;
    private final Scope scope;
    private ResumeToken position;
    private @Nullable OplogEntry endingAt;
    private final boolean isTokenMissing;
    private boolean isAtEnd;

    /**
     * A stream.
     *
     * @param start the place after which it begins
     * @param stages what is done to each event
     */
    ChangeSource(
            Store store, Namespace watched, EventWriter writer, ResumeToken start, List<Stage> stages, Scope scope) {
        this.store = store;
        this.watched = watched;
        this.writer = writer;
        this.position = start;
        this.stages = stages;
        this.scope = scope;
        OplogEntry first = entryAt(start);
        this.isTokenMissing = start.kind() != ResumeToken.Kind.HIGH_WATER && first == null;
        this.endingAt = first != null && isEnding(start, first) ? first : null;
    }

    // The entry with the change that a token names, if this stream shows that.
    private @Nullable OplogEntry entryAt(ResumeToken token) {
        Iterator<Entry<BsonTimestamp, OplogEntry>> entries =
                store.streamedOplog().from(token.timestamp());
        if (token.kind() == ResumeToken.Kind.HIGH_WATER || !entries.hasNext()) {
            return null;
        }
        OplogEntry entry = entries.next().getValue();
        boolean isFound = entry.timestamp().equals(token.timestamp())
                && token.index() < entry.changes().size();
        return isFound && shows(entry.changes().get(token.index())) ? entry : null;
    }

    // A stream that goes on after the event that ended it has still to say so.
    private static boolean isEnding(ResumeToken start, OplogEntry first) {
        return start.kind() == ResumeToken.Kind.EVENT
                && endsStream(first.changes().get(start.index()));
    }

    private static boolean endsStream(Change change) {
        return change instanceof Change.Dropped || change instanceof Change.Renamed;
    }

    private boolean shows(Change change) {
        boolean isTarget =
                change instanceof Change.Renamed renamed && renamed.target().equals(watched);
        return !(change instanceof Change.Other)
                && (isTarget || change.namespace().equals(watched));
    }

    @Override
    public @Nullable Document next() {
        while (!isAtEnd) {
            Document event = endingAt == null ? nextChange() : invalidate(endingAt);
            if (event == null) {
                return null;
            }
            Document staged = staged(event);
            if (staged != null) {
                return staged;
            }
        }
        return null;
    }

    private Document invalidate(OplogEntry ending) {
        isAtEnd = true;
        position = new ResumeToken(ending.timestamp(), position.index(), ResumeToken.Kind.INVALIDATE);
        return writer.invalidate(ending, position);
    }

    private @Nullable Document nextChange() {
        checkHistory();
        Iterator<Entry<BsonTimestamp, OplogEntry>> entries =
                store.streamedOplog().from(position.timestamp());
        while (entries.hasNext()) {
            Document event = nextIn(entries.next().getValue());
            if (event != null) {
                checkToken();
                return event;
            }
        }
        return null;
    }

    // Noticed only when something comes that should have come after the event of the token.
    private void checkToken() {
        if (isTokenMissing) {
            throw new CommandError(
                    ErrorCode.CHANGE_STREAM_FATAL_ERROR, "cannot resume stream; the resume token was not found.");
        }
    }

    // Entries between here and the oldest one are lost, if there were any.
    private void checkHistory() {
        Oplog oplog = store.oplog();
        boolean isLost =
                !oplog.reachesBackTo(new BsonTimestamp(position.timestamp().getValue() + 1));
        if (isLost) {
            throw historyLost();
        }
    }

    static CommandError historyLost() {
        return new CommandError(
                ErrorCode.CHANGE_STREAM_HISTORY_LOST,
                "Resume of change stream was not possible, as the resume point may no longer be in the oplog.");
    }

    private @Nullable Document nextIn(OplogEntry entry) {
        boolean isSameEntry = entry.timestamp().equals(position.timestamp());
        List<Change> changes = entry.changes();
        int first = !isSameEntry ? 0 : position.index() == Integer.MAX_VALUE ? changes.size() : position.index() + 1;
        for (int i = first; i < changes.size(); i++) {
            Change change = changes.get(i);
            position = new ResumeToken(entry.timestamp(), i, ResumeToken.Kind.EVENT);
            if (shows(change)) {
                endingAt = endsStream(change) ? entry : null;
                return writer.event(entry, change, position);
            }
        }
        position = ResumeToken.at(entry.timestamp());
        return null;
    }

    private @Nullable Document staged(Document event) {
        List<Document> results = PipelineParser.run(stages, List.of(event), scope);
        if (results.isEmpty()) {
            return null;
        }
        Document result = results.get(0);
        if (!SameBytes.test(result.get("_id"), event.get("_id"))) {
            throw new CommandError(
                    ErrorCode.CHANGE_STREAM_FATAL_ERROR,
                    "Encountered an event whose _id field, which contains the resume token, was modified by the pipeline."
                            + " Modifying the _id field of an event makes it impossible to resume the stream from that"
                            + " point. Only transformations that retain the unmodified _id field are allowed.");
        }
        return result;
    }

    @Override
    public boolean isAtEnd() {
        return isAtEnd;
    }

    @Override
    public boolean hasNews() {
        return isAtEnd || endingAt != null || store.streamedOplog().last().compareTo(position.timestamp()) > 0;
    }

    @Override
    public Document position() {
        return position.document();
    }
}
