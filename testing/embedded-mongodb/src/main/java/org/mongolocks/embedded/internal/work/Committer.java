package org.mongolocks.embedded.internal.work;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.oplog.Oplog.OplogEntry;
import org.mongolocks.embedded.internal.session.Transaction;
import org.mongolocks.embedded.internal.session.Transaction.Write;
import org.mongolocks.embedded.internal.storage.Catalog;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.work.Workspace.Conflict;

/** Makes the writes of a transaction part of the committed data. Its locks saw to it that nothing is in the way. */
public final class Committer {
    private final Store store;
    private final Transaction transaction;

    public Committer(Store store, Transaction transaction) {
        this.store = store;
        this.transaction = transaction;
    }

    public void commit() {
        if (transaction.writes().isEmpty()) {
            return;
        }
        for (Write write : transaction.writes()) {
            checkCreation(write.change().namespace());
        }
        Catalog changed = store.catalog();
        List<Change> changes = new ArrayList<>();
        for (Write write : transaction.writes()) {
            changed = applied(changed, write);
            changes.add(write.change());
        }
        OplogEntry.TransactionId id =
                new OplogEntry.TransactionId(transaction.session().document(), transaction.number());
        store.commit(changed, changes, id);
    }

    // Of two transactions that create a collection the first to commit wins.
    private void checkCreation(Namespace namespace) {
        CollectionState seen = transaction.view().get(namespace);
        if (seen != null && transaction.hasCreated(seen) && store.catalog().get(namespace) != null) {
            throw new Conflict(null);
        }
    }

    private Catalog applied(Catalog catalog, Write write) {
        Namespace namespace = write.change().namespace();
        CollectionState created = Objects.requireNonNull(transaction.view().get(namespace));
        if (transaction.hasCreated(created)) {
            // A collection that the transaction created was its own all the time.
            return catalog.with(created.withIndexes(
                    created.indexes(), store.clock().latest().getValue() + 1));
        }
        return catalog.with(applied(Objects.requireNonNull(catalog.get(namespace)), write));
    }

    private static CollectionState applied(CollectionState collection, Write write) {
        if (write.change() instanceof Change.Inserted inserted) {
            return collection.inserted(inserted.document(), write.record());
        }
        var record = Objects.requireNonNull(collection.record(write.record()));
        return write.change() instanceof Change.Updated updated
                ? collection.updated(record, updated.after())
                : collection.deleted(record);
    }
}
