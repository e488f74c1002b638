package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.Truth;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.storage.Catalog;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.work.Store;
import org.mongolocks.embedded.internal.write.CollectionAccess;

/** create, drop, dropDatabase and renameCollection. */
final class CollectionCommands {
    private static final Set<String> CREATE = Set.of(
            "capped",
            "autoIndexId",
            "idIndex",
            "size",
            "max",
            "storageEngine",
            "validator",
            "validationLevel",
            "validationAction",
            "indexOptionDefaults",
            "viewOn",
            "pipeline",
            "collation",
            "temp",
            "recordPreImages");

    private CollectionCommands() {}

    static Document create(Call call) {
        Fields fields = Fields.ofCommand(call.command(), CREATE);
        fields.refuseCollation();
        fields.refuse("capped", "storageEngine", "indexOptionDefaults", "viewOn", "pipeline", "recordPreImages");
        if (!fields.document("validator").isEmpty()) {
            fields.refuse("validator");
        }
        Namespace namespace = call.namespace().checkedForCreation();
        if (CollectionAccess.find(call, namespace) != null) {
            throw new CommandError(ErrorCode.NAMESPACE_EXISTS, "Collection already exists. NS: " + namespace);
        }
        call.workspace().create(namespace);
        return new Document();
    }

    static Document drop(Call call) {
        Fields.ofCommand(call.command(), Set.of());
        Store store = call.server().store();
        CollectionState collection = existing(store, call.namespace(), "ns not found");
        CollectionLocks.awaitFree(call, collection.namespace());
        drop(store, collection);
        return new Document("nIndexesWas", collection.indexes().size())
                .append("ns", collection.namespace().toString());
    }

    private static CollectionState existing(Store store, Namespace namespace, String message) {
        CollectionState collection = store.catalog().get(namespace);
        if (collection == null) {
            throw new CommandError(ErrorCode.NAMESPACE_NOT_FOUND, message);
        }
        return collection;
    }

    private static void drop(Store store, CollectionState collection) {
        store.commit(store.catalog().without(collection.namespace()), new Change.Dropped(collection.namespace()));
    }

    static Document dropDatabase(Call call) {
        Fields.ofCommand(call.command(), Set.of());
        checkDroppable(call);
        Store store = call.server().store();
        List<CollectionState> collections = store.catalog().collectionsOf(call.db());
        collections.forEach(collection -> CollectionLocks.awaitFree(call, collection.namespace()));
        if (collections.isEmpty()) {
            return new Document();
        }
        collections.forEach(collection -> drop(store, collection));
        store.commit(store.catalog(), new Change.DroppedDatabase(new Namespace(call.db(), "")));
        return new Document("dropped", call.db());
    }

    private static void checkDroppable(Call call) {
        if (call.db().equals("local") && call.server().config().isReplicaSet()) {
            throw illegal("Cannot drop 'local' database while replication is active");
        }
        if (call.db().equals("admin")) {
            throw illegal("Dropping the 'admin' database is prohibited.");
        }
        if (!ValueOrder.same(call.target(), 1)) {
            throw illegal("Have to pass 1 as db parameter");
        }
    }

    private static CommandError illegal(String message) {
        return new CommandError(ErrorCode.ILLEGAL_OPERATION, message);
    }

    static Document rename(Call call) {
        Fields fields = Fields.ofCommand(call.command(), Set.of("to", "dropTarget", "stayTemp"));
        if (!(call.target() instanceof String from)) {
            throw new CommandError(ErrorCode.TYPE_MISMATCH, "'renameCollection' must be of type String");
        }
        Namespace source = Namespace.of(from).checked();
        Namespace target = Namespace.of(fields.requiredString("to")).checkedForCreation();
        Store store = call.server().store();
        CollectionState collection = existing(store, source, "Source collection " + from + " does not exist");
        checkTarget(store, source, target, Truth.of(fields.get("dropTarget")));
        CollectionLocks.awaitFree(call, source);
        CollectionLocks.awaitFree(call, target);
        Catalog changed = store.catalog()
                .without(source)
                .with(collection.renamed(target, store.clock().latest().getValue() + 1));
        store.commit(changed, new Change.Renamed(source, target));
        return new Document();
    }

    private static void checkTarget(Store store, Namespace source, Namespace target, boolean dropsTarget) {
        if (source.equals(target)) {
            throw illegal("Can't rename a collection to itself");
        }
        if (!source.db().equals(target.db())) {
            throw new CommandError(
                    ErrorCode.NOT_IMPLEMENTED,
                    "renaming into another database is not supported by the embedded server");
        }
        if (store.catalog().get(target) != null && !dropsTarget) {
            throw new CommandError(ErrorCode.NAMESPACE_EXISTS, "target namespace exists");
        }
    }
}
