package org.mongolocks.embedded.internal.plan;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.pipeline.SortOrder;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;

/** The matches of a query, one after the other, in a collection that may change in the meantime. */
public final class Matches {
    private final Supplier<@Nullable CollectionState> collection;
    private final RecordSource source;
    private final Filter filter;

    /**
     * Matches among the candidates of a source.
     *
     * @param collection gives the collection as it is now, null if it is gone
     */
    public Matches(Supplier<@Nullable CollectionState> collection, RecordSource source, Filter filter) {
        this.collection = collection;
        this.source = source;
        this.filter = filter;
    }

    /**
     * The matches in a collection as it is now.
     *
     * @param hint the index to use, or null
     */
    public static Matches in(CollectionState collection, Filter filter, @Nullable Object hint) {
        return new Matches(() -> collection, Planner.plan(collection, filter, hint), filter);
    }

    /** The documents that match. */
    public static List<Document> documents(@Nullable CollectionState collection, Filter filter, @Nullable Object hint) {
        return collection == null ? List.of() : in(collection, filter, hint).rest();
    }

    /** The documents of the matches that are left. */
    public List<Document> rest() {
        List<Document> documents = new ArrayList<>();
        for (StoredRecord match = next(); match != null; match = next()) {
            documents.add(match.document());
        }
        return documents;
    }

    /** The match that comes first in an order, or null if there is none. */
    public @Nullable StoredRecord first(SortOrder order) {
        StoredRecord first = next();
        for (StoredRecord match = order.isEmpty() ? null : first; match != null; match = next()) {
            boolean isBefore = first != null && order.compare(match.document(), first.document()) < 0;
            first = isBefore ? match : first;
        }
        return first;
    }

    /** The next match, or null at the end. */
    public @Nullable StoredRecord next() {
        CollectionState now = collection.get();
        if (now == null) {
            return null;
        }
        for (StoredRecord record = source.next(now); record != null; record = source.next(now)) {
            if (filter.matches(record.document())) {
                return record;
            }
        }
        return null;
    }

    /** Candidates for a query, one after the other; it keeps its place while the collection changes. */
    public interface RecordSource {
        /**
         * Gives the next candidate.
         *
         * @param collection the collection as it is now
         * @return a record, or null at the end
         */
        @Nullable
        StoredRecord next(CollectionState collection);
    }
}
