package org.mongolocks.embedded.internal.work;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.index.IndexSpec;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.session.Transaction;
import org.mongolocks.embedded.internal.storage.Catalog;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.update.Update.Applied;
import org.mongolocks.embedded.internal.work.LockTable.LockKey;

/**
 * Where a command reads and writes: the committed data, or what a transaction sees of them. Outside of transactions each write is
 * committed at once; those of a transaction are visible to it alone until it commits. A write that meets one of another transaction
 * throws {@link Conflict}.
 */
public final class Workspace {
    private static final long NO_RECORD = 0;

    private final Store store;
    private final LockTable locks;
    private final Supplier<UUID> uuids;
    private final @Nullable Transaction transaction;

    /**
     * A place to write.
     *
     * @param transaction the transaction that writes, null for writes outside of one
     */
    public Workspace(Store store, LockTable locks, Supplier<UUID> uuids, @Nullable Transaction transaction) {
        this.store = store;
        this.locks = locks;
        this.uuids = uuids;
        this.transaction = transaction;
    }

    /** A write that met the write of another transaction. */
    public static final class Conflict extends RuntimeException {
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

    /** The data as this command sees it. */
    public Catalog catalog() {
        return transaction == null ? store.catalog() : transaction.view();
    }

    /** Creates a collection. */
    public CollectionState create(Namespace namespace, Document options) {
        LockKey lock = LockKey.creation(namespace);
        Transaction holder = locks.other(lock, transaction);
        if (transaction == null && holder != null) {
            throw new Conflict(holder);
        }
        // Several transactions may create it; all but the first to commit fail then. Writes outside wait for one of
        // them.
        if (holder == null) {
            take(lock);
        }
        CollectionState created = CollectionState.create(namespace, uuids.get(), options, visibleFrom());
        write(created, new Change.Other(namespace), NO_RECORD);
        return created;
    }

    /** Builds an index. */
    public void index(Namespace namespace, IndexSpec spec) {
        CollectionState collection = catalog().get(namespace);
        if (collection != null) {
            write(collection.indexed(spec, visibleFrom()), new Change.Other(namespace), NO_RECORD);
        }
    }

    private long visibleFrom() {
        return transaction == null ? store.clock().latest().getValue() + 1 : transaction.snapshotTime();
    }

    public void insert(CollectionState collection, Document document) {
        long record = store.nextRecord();
        List<LockKey> keys = checkKeys(collection, document, record);
        CollectionState changed = collection.inserted(document, record);
        keys.forEach(this::take);
        if (transaction != null) {
            take(LockKey.record(collection.uuid(), record));
        }
        write(changed, new Change.Inserted(collection.namespace(), collection.uuid(), document), record);
    }

    public void update(CollectionState collection, StoredRecord record, Applied applied) {
        List<LockKey> keys = checkRecord(collection, record);
        keys.addAll(checkKeys(collection, applied.document(), record.id()));
        CollectionState changed = collection.updated(record, applied.document());
        keys.forEach(this::take);
        Change change = new Change.Updated(
                collection.namespace(), collection.uuid(), record.document(), applied.document(), applied.fields());
        write(changed, change, record.id());
    }

    public void delete(CollectionState collection, StoredRecord record) {
        checkRecord(collection, record).forEach(this::take);
        Change change = new Change.Deleted(collection.namespace(), collection.uuid(), record.document());
        write(collection.deleted(record), change, record.id());
    }

    // What must be locked.
    private List<LockKey> checkRecord(CollectionState collection, StoredRecord record) {
        List<LockKey> keys = new ArrayList<>();
        if (hasContenders()) {
            keys.add(rules().checkRecord(collection, record.id()));
        }
        return keys;
    }

    private List<LockKey> checkKeys(CollectionState collection, Document document, long record) {
        return hasContenders() ? rules().checkKeys(collection, document, record) : List.of();
    }

    // Without a transaction anywhere, nothing can be in conflict.
    private boolean hasContenders() {
        return transaction != null || !locks.isEmpty();
    }

    private ConflictRules rules() {
        return new ConflictRules(locks, store.catalog(), transaction);
    }

    private void take(LockKey key) {
        if (transaction != null) {
            locks.take(key, transaction);
        }
    }

    private void write(CollectionState changed, Change change, long record) {
        Catalog catalog = catalog().with(changed);
        if (transaction == null) {
            store.commit(catalog, change);
        } else {
            transaction.write(catalog, change, record);
        }
    }
}
