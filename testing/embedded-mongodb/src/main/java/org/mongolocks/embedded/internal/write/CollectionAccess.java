package org.mongolocks.embedded.internal.write;

import de.bwaldvogel.mongo.bson.Document;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Park;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.session.Transaction;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;

/** How commands get at collections. */
public final class CollectionAccess {
    private CollectionAccess() {}

    /** The collection as the command sees it, or null. */
    public static @Nullable CollectionState find(Call call, Namespace namespace) {
        CollectionState collection = orView(call, namespace);
        if (collection != null && collection.isView()) {
            throw new CommandError(
                    ErrorCode.COMMAND_NOT_SUPPORTED_ON_VIEW, "Namespace " + namespace + " is a view, not a collection");
        }
        return collection;
    }

    private static @Nullable CollectionState orView(Call call, Namespace namespace) {
        Transaction transaction = call.transaction();
        return transaction == null ? call.catalog().get(namespace) : find(call, namespace, transaction);
    }

    // A collection dropped or renamed after the snapshot is gone for the transaction too, unless it has used it before.
    private static @Nullable CollectionState find(Call call, Namespace namespace, Transaction transaction) {
        CollectionState seen = transaction.view().get(namespace);
        boolean isOwn = seen != null && transaction.hasCreated(seen);
        if (!isOwn) {
            checkVisible(call, namespace, transaction);
        }
        transaction.use(namespace);
        CollectionState now = call.server().store().catalog().get(namespace);
        boolean isThere = seen != null && now != null && now.uuid().equals(seen.uuid());
        return isOwn || isThere ? seen : null;
    }

    // A collection that changed after the snapshot cannot be used through it.
    private static void checkVisible(Call call, Namespace namespace, Transaction transaction) {
        CollectionState now = call.server().store().catalog().get(namespace);
        if (now != null && now.visibleFrom() > transaction.snapshotTime()) {
            throw new CommandError(
                    ErrorCode.SNAPSHOT_UNAVAILABLE,
                    "Unable to read from a snapshot due to pending collection catalog changes; please retry the operation."
                            + " Snapshot timestamp is " + transaction.snapshotTime() + ". Collection minimum is "
                            + now.visibleFrom());
        }
    }

    /** The collection whose documents a command reads, or null. */
    public static @Nullable CollectionState forRead(Call call, Namespace namespace) {
        CollectionState collection = orView(call, namespace);
        if (collection != null && collection.isView()) {
            throw CommandError.unsupported("Reading a view");
        }
        return collection;
    }

    /** The collection to insert into, which is created if it is not there. */
    public static CollectionState forInsert(Call call, Namespace namespace) {
        CollectionState collection = find(call, namespace);
        return collection == null
                ? call.workspace().create(namespace.checkedForCreation(), new Document())
                : collection;
    }

    /** Returns if no open transaction has used a collection; parks the command otherwise. */
    public static void awaitFree(Call call, Namespace namespace) {
        for (Transaction transaction : call.server().transactions().open()) {
            if (transaction.hasUsed(namespace)) {
                throw Park.forEvent(() -> transaction.session().transaction() != transaction);
            }
        }
    }
}
