package org.mongolocks.embedded.internal.write;

import de.bwaldvogel.mongo.bson.Document;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.plan.Matches;
import org.mongolocks.embedded.internal.plan.Planner;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;
import org.mongolocks.embedded.internal.query.MatchDetails;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.storage.StoredRecord;
import org.mongolocks.embedded.internal.update.Applied;
import org.mongolocks.embedded.internal.update.StorageRules;
import org.mongolocks.embedded.internal.update.Update;
import org.mongolocks.embedded.internal.update.UpdateContext;
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
    }

    /**
     * What an update of one document did.
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
        CollectionState collection = CollectionAccess.find(call, namespace);
        Matches.Match match =
                collection == null ? null : FirstMatch.of(collection, filter, request.hint(), request.sort());
        if (collection != null && match != null) {
            Applied applied = write(collection, match.record(), match.details());
            return new Outcome(match.record().document(), applied.document(), !applied.isNoop());
        }
        return request.isUpsert() ? new Outcome(null, insert(), true) : new Outcome(null, null, false);
    }

    /** Changes all matches, or inserts if there is none. */
    public void executeAll(WriteBatch batch) {
        CollectionState collection = CollectionAccess.find(call, namespace);
        Progress progress = Progress.in(batch);
        if (collection != null) {
            // What was there at the beginning: a document that moves while it is changed is not seen again.
            Matches matches = new Matches(() -> collection, Planner.plan(collection, filter, request.hint()), filter);
            for (Matches.Match match = matches.next(); match != null; match = matches.next()) {
                change(match.record().id(), progress, batch);
            }
        }
        if (progress.isEmpty() && request.isUpsert()) {
            batch.addUpserted(insert().get("_id"));
        }
    }

    private void change(long id, Progress progress, WriteBatch batch) {
        CollectionState collection = CollectionAccess.find(call, namespace);
        StoredRecord record = collection == null ? null : collection.record(id);
        MatchDetails details = new MatchDetails();
        if (collection == null
                || record == null
                || progress.isDone(id)
                || !filter.matches(record.document(), details)) {
            return;
        }
        Applied applied = write(collection, record, details);
        progress.done(id);
        batch.addMatched(1);
        batch.addModified(applied.isNoop() ? 0 : 1);
    }

    private Applied write(CollectionState collection, StoredRecord record, MatchDetails details) {
        Applied applied = update.applyTo(record.document(), context(record.document(), details.arrayIndex(), false));
        if (!applied.isNoop()) {
            call.workspace().update(collection, record, applied);
        }
        return applied;
    }

    private Document insert() {
        Document seed = UpsertSeed.of(filter, update.isReplacement());
        Document made = update.applyTo(seed, context(seed, null, true)).document();
        Document document = new Document(
                "_id",
                made.containsKey("_id") ? made.get("_id") : call.server().ids().objectId());
        document.putAll(made);
        StorageRules.checkNew(document);
        call.workspace().insert(CollectionAccess.forInsert(call, namespace), document);
        return document;
    }

    private UpdateContext context(Document original, @Nullable Integer matchedIndex, boolean isInsert) {
        return new UpdateContext(
                original, matchedIndex, isInsert, now, call.server().store().clock()::tick);
    }
}
