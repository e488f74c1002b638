package org.mongolocks.embedded.internal.write;

import de.bwaldvogel.mongo.bson.Document;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.SortOrder;
import org.mongolocks.embedded.internal.plan.Matches;
import org.mongolocks.embedded.internal.query.Equalities;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.update.StorageRules;
import org.mongolocks.embedded.internal.update.Update;
import org.mongolocks.embedded.internal.update.Update.Applied;
import org.mongolocks.embedded.internal.update.Update.UpdateContext;
import org.mongolocks.embedded.internal.update.UpdateParser;
import org.mongolocks.embedded.internal.update.UpsertSeed;

/** Changes the documents that match a query, or one of them, or inserts one if none does. */
public final class UpdateStatement {
    private final Call call;
    private final Namespace namespace;
    private final UpdateRequest request;
    private final Update update;
    private final Filter filter;
    private final Instant now;

    /**
     * Reads the request; a mistake in it is an error here.
     *
     * @param scope the variables that the query and the update may use
     */
    public UpdateStatement(Call call, Namespace namespace, UpdateRequest request, Scope scope) {
        this.call = call;
        this.namespace = namespace;
        this.request = request;
        this.update = new UpdateParser(scope).parse(request.update(), request.arrayFilters(), request.isMulti());
        this.filter = request.isUpsert()
                ? FilterParser.parseForUpsert(request.query(), scope)
                : FilterParser.parse(request.query(), scope);
        this.now = call.server().clock().instant();
        call.server().counters().plan(request.query());
    }

    /** Refuses a pipeline on a server that has none, before anything is done. */
    public static void checkKind(Call call, @Nullable Object update) {
        if (update instanceof List && !call.server().config().hasUpdatePipelines()) {
            throw CommandError.failedToParse("Argument to update must be object");
        }
    }

    /**
     * The effect of an update on one document.
     *
     * @param before the document before, or null if there was none
     * @param after the document after, or null if there is none
     * @param isChanged whether anything was written
     */
    public record Outcome(
            @Nullable Document before, @Nullable Document after, boolean isChanged) {
        /** Whether an upsert inserted. */
        public boolean isInsert() {
            return before == null && after != null;
        }
    }

    /** Changes the first match, or inserts. */
    public Outcome executeOne() {
        Document upsert = call.takeUpsert();
        if (upsert == null) {
            return updateOrInsert();
        }
        try {
            insert(upsert);
            return new Outcome(null, upsert, true);
        } catch (CommandError error) {
            if (!isRetried(error)) {
                throw error;
            }
            return updateOrInsert();
        }
    }

    // An update begins again, and since MongoDB 5.0 a findAndModify too, if another has inserted just what it looked
    // for.
    private boolean isRetried(CommandError error) {
        boolean mayRepeat = call.definition().name().equals("update")
                || call.server().config().version().repeatsFindAndModify();
        if (error.code() != ErrorCode.DUPLICATE_KEY || !mayRepeat) {
            return false;
        }
        Document wanted = new Document();
        Equalities.in(filter, (path, value) -> wanted.put(path.toString(), value));
        return wanted.size() == request.query().size()
                && error.details().get("keyValue") instanceof Document key
                && key.keySet().equals(wanted.keySet());
    }

    private Outcome updateOrInsert() {
        CollectionState collection = CollectionAccess.find(call, namespace);
        StoredRecord match = collection == null
                ? null
                : Matches.in(collection, filter, request.hint()).first(order());
        if (collection != null && match != null) {
            Applied applied = write(collection, match);
            return new Outcome(match.document(), applied.document(), !applied.isNoop());
        }
        if (!request.isUpsert()) {
            return new Outcome(null, null, false);
        }
        Document document = made();
        call.pauseUpsert(document);
        insert(document);
        return new Outcome(null, document, true);
    }

    /** Changes all matches, or inserts if there is none. */
    public void executeAll(WriteBatch batch) {
        CollectionState collection = CollectionAccess.find(call, namespace);
        Document upsert = call.takeUpsert();
        if (upsert != null) {
            insert(upsert);
            batch.addUpserted(upsert.get("_id"));
            return;
        }
        if (collection != null) {
            // The documents at the beginning: a document that moves while it is changed is not seen again.
            Matches matches = Matches.in(collection, filter, request.hint());
            for (StoredRecord match = matches.next(); match != null; match = matches.next()) {
                change(match.id(), batch);
            }
        }
        if (!batch.isBegun() && request.isUpsert()) {
            Document document = made();
            call.pauseUpsert(document);
            insert(document);
            batch.addUpserted(document.get("_id"));
        }
    }

    private void change(long id, WriteBatch batch) {
        CollectionState collection = CollectionAccess.find(call, namespace);
        StoredRecord record = collection == null ? null : collection.record(id);
        if (collection == null || record == null || batch.isDone(id) || !filter.matches(record.document())) {
            return;
        }
        Applied applied = write(collection, record);
        batch.done(id);
        batch.addMatched(1);
        batch.addModified(applied.isNoop() ? 0 : 1);
    }

    private Applied write(CollectionState collection, StoredRecord record) {
        Applied applied = update.applyTo(record.document(), context(record.document(), false));
        if (!applied.isNoop()) {
            call.workspace().update(collection, record, applied);
        }
        return applied;
    }

    private Document made() {
        Document seed = UpsertSeed.of(filter, update.isReplacement());
        Document made = update.applyTo(seed, context(seed, true)).document();
        Document document = new Document(
                "_id",
                made.containsKey("_id") ? made.get("_id") : call.server().ids().objectId());
        document.putAll(made);
        StorageRules.checkWhole(document);
        return document;
    }

    private void insert(Document document) {
        CollectionState collection = CollectionAccess.forInsert(call, namespace);
        call.workspace().insert(collection, document);
    }

    private SortOrder order() {
        return SortOrder.parse(request.sort() == null ? new Document() : request.sort());
    }

    private UpdateContext context(Document original, boolean isInsert) {
        return new UpdateContext(
                original,
                isInsert,
                call.server().config().version().logsDiffs(),
                now,
                call.server().store().clock()::tick);
    }

    /**
     * An update as a client asked for it.
     *
     * @param query which documents
     * @param update what to do with them
     * @param isMulti whether to change all that match, or the first
     * @param isUpsert whether to insert if none matches
     * @param arrayFilters names for elements of arrays, or null
     * @param hint the index to use, or null
     * @param sort which match is the first, or null
     */
    public record UpdateRequest(
            Document query,
            @Nullable Object update,
            boolean isMulti,
            boolean isUpsert,
            @Nullable List<?> arrayFilters,
            @Nullable Object hint,
            @Nullable Document sort) {}
}
