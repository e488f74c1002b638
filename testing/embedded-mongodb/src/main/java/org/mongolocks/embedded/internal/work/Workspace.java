package org.mongolocks.embedded.internal.work;

import de.bwaldvogel.mongo.bson.Document;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.index.IndexSpec;
import org.mongolocks.embedded.internal.session.Transaction;
import org.mongolocks.embedded.internal.storage.Catalog;
import org.mongolocks.embedded.internal.storage.CollectionOptions;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.update.Update.Applied;

/** Where a command reads and writes. A write that meets one of another transaction throws {@link Conflict}. */
public interface Workspace {
    /** The data as this command sees it. */
    Catalog catalog();

    /** Creates a collection. */
    CollectionState create(Namespace namespace, CollectionOptions options);

    /** Builds an index. */
    void index(Namespace namespace, IndexSpec spec);

    void insert(CollectionState collection, Document document);

    void update(CollectionState collection, StoredRecord record, Applied applied);

    void delete(CollectionState collection, StoredRecord record);

    /** A write that met the write of another transaction. */
    final class Conflict extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient @Nullable Transaction holder;

        public Conflict(@Nullable Transaction holder) {
            super("write conflict", null, false, false);
            this.holder = holder;
        }

        /** The open transaction that stands in the way; null if the other write is committed already. */
        public @Nullable Transaction holder() {
            return holder;
        }
    }
}
