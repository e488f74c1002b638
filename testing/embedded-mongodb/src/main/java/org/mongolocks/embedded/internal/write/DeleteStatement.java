package org.mongolocks.embedded.internal.write;

import de.bwaldvogel.mongo.bson.Document;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.expression.Scope;
import org.mongolocks.embedded.internal.pipeline.SortOrder;
import org.mongolocks.embedded.internal.plan.Matches;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.query.FilterParser;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;
import org.mongolocks.embedded.internal.storage.Namespace;

/** Deletes the documents that match a query, or one of them. */
public final class DeleteStatement {
    private final Call call;
    private final Namespace namespace;
    private final Filter filter;
    private final @Nullable Object hint;

    /**
     * Reads the query; a mistake in it is an error here.
     *
     * @param scope the variables that the query may use
     * @param hint the index to use, or null
     */
    public DeleteStatement(Call call, Namespace namespace, Document query, Scope scope, @Nullable Object hint) {
        this.call = call;
        this.namespace = namespace;
        this.filter = FilterParser.parse(query, scope);
        this.hint = hint;
        call.server().counters().plan(query);
    }

    /** Deletes the first match and gives it, or null if there is none. */
    public @Nullable Document executeOne(@Nullable Document sort) {
        CollectionState collection = CollectionAccess.find(call, namespace);
        SortOrder order = SortOrder.parse(sort == null ? new Document() : sort);
        StoredRecord match =
                collection == null ? null : Matches.in(collection, filter, hint).first(order);
        if (collection == null || match == null) {
            return null;
        }
        call.workspace().delete(collection, match);
        return match.document();
    }

    /** Deletes all matches. */
    public void executeAll(WriteBatch batch) {
        CollectionState collection = CollectionAccess.find(call, namespace);
        if (collection == null) {
            return;
        }
        Matches matches = Matches.in(collection, filter, hint);
        for (StoredRecord match = matches.next(); match != null; match = matches.next()) {
            delete(match.id(), batch);
        }
    }

    private void delete(long id, WriteBatch batch) {
        CollectionState collection = CollectionAccess.find(call, namespace);
        StoredRecord record = collection == null ? null : collection.record(id);
        if (collection != null && record != null && filter.matches(record.document())) {
            call.workspace().delete(collection, record);
            batch.addMatched(1);
        }
    }

    /**
     * A statement of a delete command.
     *
     * @param isMulti whether all matches are deleted, not only the first
     * @param hint the index to use, or null
     */
    public record DeleteRequest(
            Document query, boolean isMulti, @Nullable Object hint) {}
}
