package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Map.Entry;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.engine.Server;
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
    // Options that are listed. What they do to documents is missing here, and so are documents.
    private static final Set<String> LISTED = Set.of("""
            capped size max validator validationLevel validationAction viewOn pipeline collation""".split("\\s+"));

    private CollectionCommands() {}

    static Document create(Call call) {
        Fields.ofCommand(call.command(), LISTED);
        Namespace namespace = call.namespace().checkedForCreation();
        CollectionState committed = call.server().store().catalog().get(namespace);
        boolean isTaken = call.transaction() != null && committed != null;
        boolean isView = committed != null && committed.isView();
        if (isTaken || isView || CollectionAccess.find(call, namespace) != null) {
            throw new CommandError(ErrorCode.NAMESPACE_EXISTS, "Collection already exists. NS: " + namespace);
        }
        Document options = new Document();
        for (Entry<String, Object> field : call.command().entrySet()) {
            Object value = field.getValue();
            boolean isOn = !(value instanceof Document document && document.isEmpty())
                    && !Boolean.FALSE.equals(value)
                    && value != null;
            if (LISTED.contains(field.getKey()) && isOn) {
                options.put(field.getKey(), value);
            }
        }
        call.workspace().create(namespace, options);
        return new Document();
    }

    static Document drop(Call call) {
        Fields.ofCommand(call.command(), Set.of());
        Store store = call.server().store();
        CollectionState collection = existing(store, call.namespace(), "ns not found");
        CollectionAccess.awaitFree(call, collection.namespace());
        drop(call.server(), collection);
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

    private static void drop(Server server, CollectionState collection) {
        Store store = server.store();
        store.commit(store.catalog().without(collection.namespace()), new Change.Dropped(collection.namespace()));
    }

    static Document dropDatabase(Call call) {
        Fields.ofCommand(call.command(), Set.of());
        checkDroppable(call);
        List<CollectionState> collections = call.server().store().catalog().collectionsOf(call.db());
        collections.forEach(collection -> CollectionAccess.awaitFree(call, collection.namespace()));
        if (collections.isEmpty()) {
            return new Document();
        }
        collections.forEach(collection -> drop(call.server(), collection));
        return new Document("dropped", call.db());
    }

    private static void checkDroppable(Call call) {
        if (call.db().equals("local") && call.server().config().isReplicaSet()) {
            throw CommandError.illegalOperation("Cannot drop 'local' database while replication is active");
        }
        if (call.db().equals("admin")) {
            throw CommandError.illegalOperation("Dropping the 'admin' database is prohibited.");
        }
        if (!ValueOrder.same(call.target(), 1)) {
            throw CommandError.illegalOperation("Have to pass 1 as db parameter");
        }
    }

    static Document rename(Call call) {
        Fields fields = Fields.ofCommand(call.command(), Set.of("to"));
        Namespace source = Namespace.of(String.valueOf(call.target())).checked();
        Namespace target = Namespace.of(fields.requiredString("to")).checkedForCreation();
        if (!source.db().equals(target.db())) {
            throw CommandError.unsupported("renaming into another database");
        }
        Store store = call.server().store();
        CollectionState collection = existing(store, source, "Source collection " + source + " does not exist");
        if (store.catalog().get(target) != null) {
            throw new CommandError(ErrorCode.NAMESPACE_EXISTS, "target namespace exists");
        }
        CollectionAccess.awaitFree(call, source);
        Catalog changed = store.catalog()
                .without(source)
                .with(collection.renamed(target, store.clock().latest().getValue() + 1));
        store.commit(changed, new Change.Renamed(source, target));
        return new Document();
    }
}
