package org.mongolocks.embedded.internal.work;

import de.bwaldvogel.mongo.bson.Document;
import org.mongolocks.embedded.internal.index.IndexSpec;
import org.mongolocks.embedded.internal.storage.Catalog;
import org.mongolocks.embedded.internal.storage.CollectionOptions;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.storage.StoredRecord;
import org.mongolocks.embedded.internal.update.Applied;

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
}
