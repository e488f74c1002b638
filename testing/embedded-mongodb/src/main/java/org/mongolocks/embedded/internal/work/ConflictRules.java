package org.mongolocks.embedded.internal.work;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.index.IndexState;
import org.mongolocks.embedded.internal.session.Transaction;
import org.mongolocks.embedded.internal.storage.Catalog;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.work.LockTable.LockKey;
import org.mongolocks.embedded.internal.work.Workspace.Conflict;

/** Finds conflicts: writes that another transaction has not committed, or has committed after the snapshot of this one. */
final class ConflictRules {
    private final LockTable locks;
    private final Catalog committed;
    private final @Nullable Transaction own;

    /**
     * The rules for one write.
     *
     * @param committed the data without uncommitted writes
     * @param own the transaction that writes, null for a write outside of one
     */
    ConflictRules(LockTable locks, Catalog committed, @Nullable Transaction own) {
        this.locks = locks;
        this.committed = committed;
        this.own = own;
    }

    /** Checks that a record is free to be written, and gives what must be locked. */
    LockKey checkRecord(CollectionState collection, long record) {
        LockKey key = LockKey.record(collection.uuid(), record);
        Transaction holder = locks.other(key, own);
        if (holder != null || isChangedSinceSnapshot(collection, record)) {
            throw new Conflict(holder);
        }
        return key;
    }

    // A record is a new object with each write, so that comparing identities is enough.
    private boolean isChangedSinceSnapshot(CollectionState collection, long record) {
        if (own == null) {
            return false;
        }
        CollectionState now = committed.get(collection.namespace());
        CollectionState then = own.snapshot().get(collection.namespace());
        return now != null && then != null && now.record(record) != then.record(record);
    }

    /** Checks that the keys of a document in unique indexes are free, and gives what must be locked. */
    List<LockKey> checkKeys(CollectionState collection, Document document, long record) {
        List<LockKey> keys = new ArrayList<>();
        for (IndexState index : collection.indexes()) {
            if (index.spec().isUnique()) {
                addChecked(collection, index, index.keyOf(document), record, keys);
            }
        }
        return keys;
    }

    private void addChecked(
            CollectionState collection, IndexState index, List<@Nullable Object> key, long record, List<LockKey> keys) {
        Long holder = index.find(key);
        if (Objects.equals(holder, record)) {
            return;
        }
        // The index on _id looks for a duplicate first, the others for a conflict.
        if (holder != null && index.spec().isId()) {
            throw index.duplicate(key, collection.namespace().toString());
        }
        LockKey lock = LockKey.key(collection.uuid(), index.spec(), key);
        Transaction other = locks.other(lock, own);
        if (other != null || isAddedSinceSnapshot(collection, index, key)) {
            throw new Conflict(other);
        }
        if (holder != null) {
            throw index.duplicate(key, collection.namespace().toString());
        }
        keys.add(lock);
    }

    private boolean isAddedSinceSnapshot(CollectionState collection, IndexState index, List<@Nullable Object> key) {
        return own != null
                && has(committed, collection, index, key)
                && !has(own.snapshot(), collection, index, key)
                && !hasWritten(collection, index, key);
    }

    private boolean hasWritten(CollectionState collection, IndexState index, List<@Nullable Object> key) {
        return own != null && has(own.view(), collection, index, key);
    }

    private static boolean has(
            Catalog catalog, CollectionState collection, IndexState index, List<@Nullable Object> key) {
        CollectionState found = catalog.get(collection.namespace());
        IndexState same = found == null ? null : found.index(index.spec().name());
        return same != null && same.find(key) != null;
    }
}
