package org.mongolocks.embedded.internal.work;

import de.bwaldvogel.mongo.bson.Document;
import java.util.UUID;
import java.util.function.Supplier;
import org.mongolocks.embedded.internal.index.IndexSpec;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.session.Transaction;
import org.mongolocks.embedded.internal.storage.Catalog;
import org.mongolocks.embedded.internal.storage.CollectionOptions;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.update.Update.Applied;
import org.mongolocks.embedded.internal.work.LockTable.LockKey;
import org.mongolocks.embedded.internal.work.Workspace.Conflict;

/** Writes outside of transactions: each is committed at once. */
public final class DirectWorkspace implements Workspace {
    private final Store store;
    private final LockTable locks;
    private final Supplier<UUID> uuids;

    public DirectWorkspace(Store store, LockTable locks, Supplier<UUID> uuids) {
        this.store = store;
        this.locks = locks;
        this.uuids = uuids;
    }

    @Override
    public Catalog catalog() {
        return store.catalog();
    }

    @Override
    public CollectionState create(Namespace namespace, CollectionOptions options) {
        Transaction holder = locks.other(LockKey.creation(namespace), null);
        if (holder != null) {
            throw new Conflict(holder);
        }
        CollectionState created = CollectionState.create(
                namespace, uuids.get(), options, store.clock().latest().getValue() + 1);
        store.commit(catalog().with(created), new Change.Other(namespace));
        return created;
    }

    @Override
    public void index(Namespace namespace, IndexSpec spec) {
        CollectionState collection = catalog().get(namespace);
        if (collection != null) {
            CollectionState indexed =
                    collection.indexed(spec, store.clock().latest().getValue() + 1);
            store.commit(catalog().with(indexed), new Change.Other(namespace));
        }
    }

    @Override
    public void insert(CollectionState collection, Document document) {
        long record = store.nextRecord();
        checkKeys(collection, document, record);
        CollectionState changed = collection.inserted(document, record);
        store.commit(catalog().with(changed), new Change.Inserted(collection.namespace(), collection.uuid(), document));
    }

    @Override
    public void update(CollectionState collection, StoredRecord record, Applied applied) {
        checkRecord(collection, record);
        checkKeys(collection, applied.document(), record.id());
        CollectionState changed = collection.updated(record, applied.document());
        store.commit(
                catalog().with(changed),
                new Change.Updated(
                        collection.namespace(),
                        collection.uuid(),
                        record.document(),
                        applied.document(),
                        applied.fields()));
    }

    @Override
    public void delete(CollectionState collection, StoredRecord record) {
        checkRecord(collection, record);
        CollectionState changed = collection.deleted(record);
        store.commit(
                catalog().with(changed),
                new Change.Deleted(collection.namespace(), collection.uuid(), record.document()));
    }

    private void checkRecord(CollectionState collection, StoredRecord record) {
        if (!locks.isEmpty()) {
            new ConflictRules(locks, catalog(), null).checkRecord(collection, record.id());
        }
    }

    private void checkKeys(CollectionState collection, Document document, long record) {
        if (!locks.isEmpty()) {
            new ConflictRules(locks, catalog(), null).checkKeys(collection, document, record);
        }
    }
}
