package org.mongolocks.embedded.internal.write;

import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.engine.Call;
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
        Transaction transaction = call.transaction();
        if (transaction != null) {
            checkVisible(call, namespace, transaction);
            transaction.use(namespace);
        }
        return call.workspace().catalog().get(namespace);
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

    /** The collection to insert into, which is created if it is not there. */
    public static CollectionState forInsert(Call call, Namespace namespace) {
        CollectionState collection = find(call, namespace);
        if (collection != null) {
            return collection;
        }
        return call.workspace().create(namespace.checkedForCreation());
    }
}
