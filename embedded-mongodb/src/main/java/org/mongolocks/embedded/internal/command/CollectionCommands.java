package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.Truth;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.index.ExpiryRules;
import org.mongolocks.embedded.internal.index.IndexSpec;
import org.mongolocks.embedded.internal.index.IndexState;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.storage.Catalog;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.work.Store;
import org.mongolocks.embedded.internal.write.CollectionAccess;

/** create, drop, dropDatabase, renameCollection and collMod. */
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
        if (call.db().equals("local") && call.server().config().isReplicaSet()) {
            throw new CommandError(
                    ErrorCode.ILLEGAL_OPERATION, "Cannot drop 'local' database while replication is active");
        }
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
            throw new CommandError(ErrorCode.ILLEGAL_OPERATION, "Can't rename a collection to itself");
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

    static Document modify(Call call) {
        Fields fields = Fields.ofCommand(call.command(), Set.of("index"));
        Store store = call.server().store();
        CollectionState collection = existing(store, call.namespace(), "ns does not exist");
        if (!fields.has("index")) {
            return new Document();
        }
        CollectionLocks.awaitFree(call, collection.namespace());
        Fields index = Fields.ofStatement(
                fields.get("index"), "collMod.index", Set.of("name", "keyPattern", "expireAfterSeconds", "hidden"));
        return modify(store, collection, index);
    }

    private static Document modify(Store store, CollectionState collection, Fields asked) {
        IndexState index = find(collection, asked);
        IndexSpec spec = index.spec();
        Document reply = new Document();
        if (asked.has("expireAfterSeconds")) {
            if (spec.expireAfterSeconds() == null) {
                throw new CommandError(ErrorCode.INVALID_OPTIONS, "no expireAfterSeconds field to update");
            }
            Number seconds = ExpiryRules.check(asked.get("expireAfterSeconds"));
            reply.append("expireAfterSeconds_old", spec.expireAfterSeconds()).append("expireAfterSeconds_new", seconds);
            spec = spec.expiringAfter(seconds);
        } else if (asked.has("hidden")) {
            boolean isHidden = asked.flag("hidden", false);
            reply.append("hidden_old", spec.isHidden()).append("hidden_new", isHidden);
            spec = spec.hidden(isHidden);
        } else {
            throw new CommandError(ErrorCode.INVALID_OPTIONS, "no expireAfterSeconds or hidden field");
        }
        List<IndexState> indexes = new ArrayList<>(collection.indexes());
        indexes.set(indexes.indexOf(index), index.redefined(spec));
        CollectionState changed = collection.withIndexes(indexes, collection.visibleFrom());
        store.commit(store.catalog().with(changed), new Change.Other(collection.namespace()));
        return reply;
    }

    private static IndexState find(CollectionState collection, Fields asked) {
        if (asked.has("name") == asked.has("keyPattern")) {
            throw new CommandError(
                    ErrorCode.INVALID_OPTIONS, "must specify either index name or key pattern, not both");
        }
        for (IndexState index : collection.indexes()) {
            boolean isMeant = asked.has("name")
                    ? index.spec().name().equals(asked.get("name"))
                    : index.spec().keyPattern().equals(asked.get("keyPattern"));
            if (isMeant) {
                return index;
            }
        }
        throw new CommandError(ErrorCode.INDEX_NOT_FOUND, "cannot find index for ns " + collection.namespace());
    }
}
