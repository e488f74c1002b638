package org.mongolocks.embedded.internal.plan;

import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.index.IndexState;
import org.mongolocks.embedded.internal.index.IndexState.IndexKey;
import org.mongolocks.embedded.internal.plan.Bounds.Interval;
import org.mongolocks.embedded.internal.plan.Matches.RecordSource;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;

/** The records whose first key field lies in some intervals, in the order of the index. */
final class IndexScan implements RecordSource {
    private final String index;
    private final Iterator<Interval> intervals;
    private final boolean isAscending;
    private @Nullable Interval interval;
    private @Nullable IndexKey last;
    private @Nullable IndexState walked;
    private @Nullable Iterator<Entry<IndexKey, Long>> walk;

    /**
     * A scan of an index.
     *
     * @param intervals the ranges of the first field, in the order of the index
     */
    IndexScan(String index, boolean isAscending, List<Interval> intervals) {
        this.index = index;
        this.isAscending = isAscending;
        this.intervals = intervals.iterator();
    }

    @Override
    public @Nullable StoredRecord next(CollectionState collection) {
        IndexState state = collection.index(index);
        if (state == null) {
            throw new CommandError(ErrorCode.QUERY_PLAN_KILLED, "index '" + index + "' dropped");
        }
        for (Entry<IndexKey, Long> entry = nextEntry(state); entry != null; entry = nextEntry(state)) {
            StoredRecord record = collection.record(entry.getValue());
            if (record != null) {
                return record;
            }
        }
        return null;
    }

    private @Nullable Entry<IndexKey, Long> nextEntry(IndexState state) {
        while (interval != null || intervals.hasNext()) {
            Entry<IndexKey, Long> entry = nextInInterval(state, interval == null ? intervals.next() : interval);
            if (entry != null) {
                last = entry.getKey();
                return entry;
            }
            interval = null;
            last = null;
            walk = null;
        }
        return null;
    }

    private @Nullable Entry<IndexKey, Long> nextInInterval(IndexState state, Interval current) {
        interval = current;
        Iterator<Entry<IndexKey, Long>> ahead = walkOver(state, current);
        if (!ahead.hasNext()) {
            return null;
        }
        Entry<IndexKey, Long> entry = ahead.next();
        return current.contains(entry.getKey().values().get(0)) ? entry : null;
    }

    private Iterator<Entry<IndexKey, Long>> walkOver(IndexState state, Interval current) {
        if (walk == null || walked != state) {
            walked = state;
            walk = last == null
                    ? state.from(Arrays.asList(isAscending ? current.low() : current.high()))
                    : state.after(last);
        }
        return walk;
    }
}
