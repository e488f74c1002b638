package org.mongolocks.embedded.internal.plan;

import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.StoredRecord;

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
