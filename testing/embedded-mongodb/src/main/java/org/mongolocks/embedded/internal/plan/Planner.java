package org.mongolocks.embedded.internal.plan;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.index.IndexSpec;
import org.mongolocks.embedded.internal.index.IndexState;
import org.mongolocks.embedded.internal.plan.Bounds.Interval;
import org.mongolocks.embedded.internal.plan.Matches.RecordSource;
import org.mongolocks.embedded.internal.query.Filter;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;
import org.mongolocks.embedded.internal.tree.SortedTree;

/** Chooses how to find the records of a query. */
public final class Planner {
    private final CollectionState collection;

    private Planner(CollectionState collection) {
        this.collection = collection;
    }

    /**
     * Chooses a source that gives at least all matches.
     *
     * @param hint the index to use, by name or by key pattern; null for free choice
     */
    public static RecordSource plan(CollectionState collection, Filter filter, @Nullable Object hint) {
        Planner planner = new Planner(collection);
        if (hint == null || (hint instanceof Document pattern && pattern.isEmpty())) {
            RecordSource source = planner.bestIndex(filter);
            return source == null ? new CollectionScan() : source;
        }
        return planner.hinted(filter, hint);
    }

    private RecordSource hinted(Filter filter, Object hint) {
        for (IndexState index : collection.indexes()) {
            boolean isMeant = hint instanceof Document pattern
                    ? ValueOrder.same(pattern, index.spec().keyPattern())
                    : index.spec().name().equals(hint);
            if (isMeant) {
                List<Interval> bounds = Bounds.of(filter, index.spec());
                return scan(index.spec(), bounds == null ? List.of(Interval.ALL) : bounds);
            }
        }
        throw CommandError.badValue("error processing query: planner returned error :: caused by :: "
                + "hint provided does not correspond to an existing index");
    }

    private @Nullable RecordSource bestIndex(Filter filter) {
        IndexSpec best = null;
        List<Interval> bestBounds = null;
        for (IndexState index : collection.indexes()) {
            List<Interval> bounds = Bounds.of(filter, index.spec());
            if (bounds != null && isBetter(bounds, bestBounds)) {
                best = index.spec();
                bestBounds = bounds;
            }
        }
        return best == null || bestBounds == null ? null : scan(best, bestBounds);
    }

    private static boolean isBetter(List<Interval> bounds, @Nullable List<Interval> than) {
        return than == null || rank(bounds) < rank(than);
    }

    private static int rank(List<Interval> bounds) {
        if (Bounds.isPoints(bounds)) {
            return bounds.size() == 1 ? 0 : 1;
        }
        return bounds.contains(Interval.ALL) ? 3 : 2;
    }

    private static RecordSource scan(IndexSpec index, List<Interval> bounds) {
        List<Interval> ordered = new ArrayList<>(bounds);
        if (!index.isAscending()) {
            Collections.reverse(ordered);
        }
        return new IndexScan(index.name(), index.isAscending(), ordered);
    }

    /** All records, in the order of their insertion. */
    private static final class CollectionScan implements RecordSource {
        private long last;
        private @Nullable SortedTree<Long, StoredRecord> walked;
        private @Nullable Iterator<Entry<Long, StoredRecord>> walk;

        @Override
        public @Nullable StoredRecord next(CollectionState collection) {
            Iterator<Entry<Long, StoredRecord>> ahead = walkOver(collection.records());
            if (!ahead.hasNext()) {
                return null;
            }
            Entry<Long, StoredRecord> entry = ahead.next();
            last = entry.getKey();
            return entry.getValue();
        }

        // The walk starts again behind the last record only if something has changed.
        private Iterator<Entry<Long, StoredRecord>> walkOver(SortedTree<Long, StoredRecord> records) {
            if (walk == null || walked != records) {
                walked = records;
                walk = records.after(last);
            }
            return walk;
        }
    }
}
