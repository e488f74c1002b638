package org.mongolocks.embedded.internal.plan;

import java.util.Iterator;
import java.util.Map.Entry;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.StoredRecord;
import org.mongolocks.embedded.internal.tree.SortedTree;

/** All records, in the order of their insertion. */
final class CollectionScan implements RecordSource {
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
