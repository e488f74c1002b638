package org.mongolocks.embedded.internal.plan;

import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.StoredRecord;

/** Several sources one after the other, each record once. */
final class UnionScan implements RecordSource {
    private final Iterator<RecordSource> sources;
    private final Set<Long> seen = new HashSet<>();
    private @Nullable RecordSource current;

    UnionScan(List<RecordSource> sources) {
        this.sources = sources.iterator();
    }

    @Override
    public @Nullable StoredRecord next(CollectionState collection) {
        while (current != null || sources.hasNext()) {
            RecordSource source = current == null ? sources.next() : current;
            StoredRecord record = source.next(collection);
            current = record == null ? null : source;
            if (record != null && seen.add(record.id())) {
                return record;
            }
        }
        return null;
    }
}
