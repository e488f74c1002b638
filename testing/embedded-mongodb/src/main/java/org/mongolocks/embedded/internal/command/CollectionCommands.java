package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Collation;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.engine.Server;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.index.IndexSpec;
import org.mongolocks.embedded.internal.index.IndexSpecParser;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.storage.Catalog;
import org.mongolocks.embedded.internal.storage.CollectionOptions;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.storage.View;
import org.mongolocks.embedded.internal.work.Store;
import org.mongolocks.embedded.internal.write.CollectionAccess;

/** create, drop, dropDatabase and renameCollection. */
final class CollectionCommands {
    private static final Set<String> CREATE = Set.of("""
            capped autoIndexId idIndex size max storageEngine validator validationLevel validationAction
            indexOptionDefaults viewOn pipeline collation temp recordPreImages""".split("\\s+"));

    private static final Set<String> INTERNAL = Set.of("admin", "local", "config");
    private static final long BLOCK = 256;

    private CollectionCommands() {}

    static Document create(Call call) {
        Fields fields = Fields.ofCommand(call.command(), CREATE);
        fields.refuse("storageEngine", "indexOptionDefaults", "recordPreImages");
        Namespace namespace = call.namespace().checkedForCreation();
        boolean isTaken =
                call.transaction() != null && call.server().store().catalog().get(namespace) != null;
        boolean isView = CollectionAccess.view(call, namespace) != null;
        if (isTaken || isView || CollectionAccess.find(call, namespace) != null) {
            throw new CommandError(ErrorCode.NAMESPACE_EXISTS, "Collection already exists. NS: " + namespace);
        }
        if (fields.has("viewOn") || fields.has("pipeline")) {
            ViewCommands.create(call, fields, namespace);
        } else {
            CollectionAccess.create(call, namespace, options(fields, namespace));
        }
        return new Document();
    }

    /** The collation among the options of a new collection; null for the simple one. */
    static @Nullable Document collation(Fields fields) {
        Document rule = fields.document("collation");
        if (fields.has("collation") && rule.isEmpty()) {
            throw CommandError.badValue("'collation' cannot be an empty document.");
        }
        return rule.isEmpty() ? null : Collation.parse(rule);
    }

    private static CollectionOptions options(Fields fields, Namespace namespace) {
        Document collation = collation(fields);
        if (fields.has("idIndex")) {
            IndexSpec idIndex = IndexSpecParser.parse(fields.get("idIndex"), namespace.toString(), collation);
            if (!idIndex.isId()) {
                throw CommandError.badValue("The field 'key' for an _id index must be {_id: 1}");
            }
        }
        return new CollectionOptions(collation, capped(fields), validation(fields, namespace));
    }

    private static CollectionOptions.@Nullable Capped capped(Fields fields) {
        if (!Values.isTrue(fields.get("capped"))) {
            return null;
        }
        if (!(fields.get("size") instanceof Number size) || Numbers.whole(size) == 0) {
            throw CommandError.invalidOptions("the 'size' field is required when 'capped' is true");
        }
        long max = fields.get("max") instanceof Number number ? Numbers.whole(number) : 0;
        if (Numbers.whole(size) < 0 || max > Integer.MAX_VALUE) {
            throw CommandError.badValue("the bounds of a capped collection are out of range");
        }
        // As many whole blocks as it takes.
        return new CollectionOptions.Capped((Numbers.whole(size) + BLOCK - 1) / BLOCK * BLOCK, Math.max(max, 0));
    }

    /** Reads the rules for documents, which the databases of the server itself do not have. */
    static @Nullable Document validation(Fields fields, Namespace namespace) {
        if (!fields.document("validator").isEmpty() && INTERNAL.contains(namespace.db())) {
            throw CommandError.invalidOptions("Document validators are not allowed on collection " + namespace
                    + " in the " + namespace.db() + " internal database");
        }
        return CollectionOptions.validation(fields.all());
    }

    static Document drop(Call call) {
        Fields.ofCommand(call.command(), Set.of());
        Store store = call.server().store();
        if (ViewCommands.drop(call)) {
            return new Document("ns", call.namespace().toString());
        }
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
        Store store = call.server().store();
        List<CollectionState> collections = store.catalog().collectionsOf(call.db());
        collections.forEach(collection -> CollectionAccess.awaitFree(call, collection.namespace()));
        if (collections.isEmpty()) {
            return new Document();
        }
        collections.forEach(collection -> drop(call.server(), collection));
        store.commit(store.catalog(), new Change.DroppedDatabase(new Namespace(call.db(), "")));
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
        Fields fields = Fields.ofCommand(call.command(), Set.of("to", "dropTarget", "stayTemp"));
        if (!(call.target() instanceof String from)) {
            throw CommandError.typeMismatch("'renameCollection' must be of type String");
        }
        Namespace source = Namespace.of(from).checked();
        Namespace target = Namespace.of(fields.requiredString("to")).checkedForCreation();
        Store store = call.server().store();
        View view = View.find(store.catalog(), source);
        if (view != null) {
            throw view.isNoCollection();
        }
        CollectionState collection = existing(store, source, "Source collection " + from + " does not exist");
        checkTarget(store, source, target, Values.isTrue(fields.get("dropTarget")));
        CollectionAccess.awaitFree(call, source);
        CollectionAccess.awaitFree(call, target);
        Catalog changed = store.catalog()
                .without(source)
                .with(collection.renamed(target, store.clock().latest().getValue() + 1));
        store.commit(changed, new Change.Renamed(source, target));
        return new Document();
    }

    private static void checkTarget(Store store, Namespace source, Namespace target, boolean dropsTarget) {
        if (source.equals(target)) {
            throw CommandError.illegalOperation("Can't rename a collection to itself");
        }
        if (!source.db().equals(target.db())) {
            throw CommandError.unsupported("renaming into another database");
        }
        boolean isView = View.find(store.catalog(), target) != null;
        if (isView || (store.catalog().get(target) != null && !dropsTarget)) {
            throw new CommandError(ErrorCode.NAMESPACE_EXISTS, "target namespace exists");
        }
    }
}
