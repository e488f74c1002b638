package org.mongolocks.embedded.internal.work;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
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

/** Writes of a transaction: visible to it alone until it commits. */
public final class TransactionWorkspace implements Workspace {
    private static final long NO_RECORD = 0;

    private final Store store;
    private final LockTable locks;
    private final Supplier<UUID> uuids;
    private final Transaction transaction;

    public TransactionWorkspace(Store store, LockTable locks, Supplier<UUID> uuids, Transaction transaction) {
        this.store = store;
        this.locks = locks;
        this.uuids = uuids;
        this.transaction = transaction;
    }

    @Override
    public Catalog catalog() {
        return transaction.view();
    }

    @Override
    public CollectionState create(Namespace namespace, CollectionOptions options) {
        LockKey lock = LockKey.creation(namespace);
        // Several transactions may create it; all but the first to commit fail then. Writes outside wait for one of
        // them.
        if (locks.other(lock, transaction) == null) {
            locks.take(lock, transaction);
        }
        CollectionState created = CollectionState.create(namespace, uuids.get(), options, transaction.snapshotTime());
        transaction.write(catalog().with(created), new Change.Other(namespace), NO_RECORD);
        return created;
    }

    @Override
    public void index(Namespace namespace, IndexSpec spec) {
        CollectionState collection = catalog().get(namespace);
        if (collection != null) {
            CollectionState indexed = collection.indexed(spec, transaction.snapshotTime());
            transaction.write(catalog().with(indexed), new Change.Other(namespace), NO_RECORD);
        }
    }

    @Override
    public void insert(CollectionState collection, Document document) {
        long record = store.nextRecord();
        List<LockKey> keys = rules().checkKeys(collection, document, record);
        CollectionState changed = collection.inserted(document, record);
        take(keys);
        locks.take(LockKey.record(collection.uuid(), record), transaction);
        Change change = new Change.Inserted(collection.namespace(), collection.uuid(), document);
        transaction.write(catalog().with(changed), change, record);
    }

    @Override
    public void update(CollectionState collection, StoredRecord record, Applied applied) {
        LockKey lock = rules().checkRecord(collection, record.id());
        List<LockKey> keys = rules().checkKeys(collection, applied.document(), record.id());
        CollectionState changed = collection.updated(record, applied.document());
        locks.take(lock, transaction);
        take(keys);
        Change change = new Change.Updated(
                collection.namespace(), collection.uuid(), record.document(), applied.document(), applied.fields());
        transaction.write(catalog().with(changed), change, record.id());
    }

    @Override
    public void delete(CollectionState collection, StoredRecord record) {
        locks.take(rules().checkRecord(collection, record.id()), transaction);
        Change change = new Change.Deleted(collection.namespace(), collection.uuid(), record.document());
        transaction.write(catalog().with(collection.deleted(record)), change, record.id());
    }

    private ConflictRules rules() {
        return new ConflictRules(locks, store.catalog(), transaction);
    }

    private void take(List<LockKey> keys) {
        for (LockKey key : keys) {
            locks.take(key, transaction);
        }
    }
}
