package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Numbers;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.index.IndexSpec;
import org.mongolocks.embedded.internal.index.IndexSpecParser;
import org.mongolocks.embedded.internal.index.IndexState;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.session.Transaction;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.work.Store;
import org.mongolocks.embedded.internal.write.CollectionAccess;

/** createIndexes, listIndexes, dropIndexes, and collMod for the expiry of an index. */
final class IndexCommands {
    private static final int MAX_INDEXES = 64;
    private static final String EXPIRY = "expireAfterSeconds";

    private IndexCommands() {}

    static Document create(Call call) {
        Fields fields = Fields.ofCommand(call.command(), Set.of("indexes", "commitQuorum"), ErrorCode.BAD_VALUE);
        if (fields.has("commitQuorum") && !call.server().config().isReplicaSet()) {
            throw CommandError.badValue("Standalones cannot specify commitQuorum");
        }
        Namespace namespace = call.namespace();
        List<IndexSpec> wanted = new ArrayList<>();
        for (Document specification : fields.requiredDocuments("indexes")) {
            wanted.add(IndexSpecParser.parse(specification));
        }
        if (wanted.isEmpty()) {
            throw CommandError.badValue("Must specify at least one index to create");
        }
        checkExpiry(call, wanted);
        return create(call, namespace, wanted);
    }

    private static Document create(Call call, Namespace namespace, List<IndexSpec> wanted) {
        CollectionState before = CollectionAccess.find(call, namespace);
        List<IndexSpec> missing = missing(before, wanted);
        checkLimits(call, before, missing);
        int count = before == null ? 1 : before.indexes().size();
        if (before != null && missing.isEmpty()) {
            return new Document("numIndexesBefore", count)
                    .append("numIndexesAfter", count)
                    .append("note", "all indexes already exist");
        }
        checkBuild(call, before);
        CollectionAccess.forInsert(call, namespace);
        build(call, namespace, missing);
        return new Document("createdCollectionAutomatically", before == null)
                .append("numIndexesBefore", count)
                .append("numIndexesAfter", count + missing.size());
    }

    private static List<IndexSpec> missing(@Nullable CollectionState collection, List<IndexSpec> wanted) {
        List<IndexSpec> known = new ArrayList<>(specs(collection));
        List<IndexSpec> missing = new ArrayList<>();
        for (IndexSpec spec : wanted) {
            if (!IndexSpec.alreadyExists(spec, known)) {
                known.add(spec);
                missing.add(spec);
            }
        }
        return missing;
    }

    private static List<IndexSpec> specs(@Nullable CollectionState collection) {
        return collection == null
                ? List.of(IndexSpec.ID)
                : collection.indexes().stream().map(IndexState::spec).toList();
    }

    private static void checkLimits(Call call, @Nullable CollectionState collection, List<IndexSpec> wanted) {
        if (specs(collection).size() + wanted.size() > MAX_INDEXES) {
            throw new CommandError(
                    ErrorCode.CANNOT_CREATE_INDEX,
                    "add index fails, too many indexes for " + call.namespace() + " key:"
                            + ShellText.of(wanted.get(0).keyPattern()));
        }
    }

    private static void checkExpiry(Call call, List<IndexSpec> wanted) {
        long now = call.server().now() / 1000;
        for (IndexSpec spec : wanted) {
            Number seconds = spec.expireAfterSeconds();
            if (seconds != null && Numbers.whole(seconds) > now) {
                throw new CommandError(
                        ErrorCode.CANNOT_CREATE_INDEX,
                        "TTL index 'expireAfterSeconds' option must be within an acceptable range, try a lower number."
                                + " Now - expireAfterSeconds must not be before the epoch");
            }
        }
    }

    // In a transaction, only a collection that is new there may get an index. Outside, open transactions come first.
    private static void checkBuild(Call call, @Nullable CollectionState collection) {
        Transaction transaction = call.transaction();
        if (transaction == null) {
            CollectionAccess.awaitFree(call, call.namespace());
        } else if (collection != null && !transaction.hasCreated(collection)) {
            throw new CommandError(
                    ErrorCode.NOT_SUPPORTED_IN_TRANSACTION,
                    "Cannot create new indexes on existing collection " + collection.namespace()
                            + " in a multi-document transaction.");
        } else if (collection != null && !collection.records().isEmpty()) {
            throw new CommandError(
                    ErrorCode.NOT_SUPPORTED_IN_TRANSACTION,
                    "Cannot create new indexes on non-empty collection " + collection.namespace()
                            + " in a multi-document transaction.");
        }
    }

    private static void build(Call call, Namespace namespace, List<IndexSpec> specs) {
        for (IndexSpec spec : specs) {
            try {
                call.workspace().index(namespace, spec);
            } catch (CommandError error) {
                throw error.within("Index build failed: " + namespace);
            }
        }
    }

    static Document list(Call call) {
        CollectionState collection = existing(call, "ns does not exist: " + call.namespace());
        List<Document> definitions = collection.indexes().stream()
                .map(index -> index.spec().definition())
                .toList();
        return CursorReply.ofList(call, definitions, call.namespace());
    }

    private static CollectionState existing(Call call, String message) {
        CollectionState collection = CollectionAccess.find(call, call.namespace());
        if (collection == null) {
            throw new CommandError(ErrorCode.NAMESPACE_NOT_FOUND, message);
        }
        return collection;
    }

    /** Changes after how many seconds documents expire. */
    static Document modify(Call call) {
        Fields fields = Fields.ofCommand(call.command(), Set.of("index"), ErrorCode.INVALID_OPTIONS);
        Fields asked = Fields.ofStatement(fields.required("index"), "collMod.index", Set.of("name", EXPIRY));
        CollectionState collection = existing(call, "ns does not exist");
        CollectionAccess.awaitFree(call, collection.namespace());
        IndexState index = matching(collection, asked.requiredString("name")).get(0);
        Number old = index.spec().expireAfterSeconds();
        if (old == null) {
            throw CommandError.invalidOptions("no expireAfterSeconds field to update");
        }
        long seconds = asked.count(EXPIRY, 0);
        List<IndexState> indexes = new ArrayList<>(collection.indexes());
        indexes.set(indexes.indexOf(index), index.redefined(index.spec().expiringAfter(seconds)));
        Store store = call.server().store();
        CollectionState changed = collection.withIndexes(indexes, collection.visibleFrom());
        store.commit(store.catalog().with(changed), new Change.Other(collection.namespace()));
        return new Document("expireAfterSeconds_old", old).append("expireAfterSeconds_new", seconds);
    }

    static Document drop(Call call) {
        Fields fields = Fields.ofLenient(call.command());
        CollectionState collection = existing(call, "ns not found");
        CollectionAccess.awaitFree(call, collection.namespace());
        Object which = fields.get("index");
        List<IndexState> dropped = matching(collection, which);
        List<IndexState> kept = new ArrayList<>(collection.indexes());
        kept.removeAll(dropped);
        Store store = call.server().store();
        CollectionState changed =
                collection.withIndexes(kept, store.clock().latest().getValue() + 1);
        store.commit(store.catalog().with(changed), new Change.Other(collection.namespace()));
        Document reply = new Document("nIndexesWas", collection.indexes().size());
        if ("*".equals(which)) {
            reply.put("msg", "non-_id indexes dropped for collection");
        }
        return reply;
    }

    private static List<IndexState> matching(CollectionState collection, @Nullable Object which) {
        if ("*".equals(which)) {
            return collection.indexes().subList(1, collection.indexes().size());
        }
        if (!(which instanceof String) && !(which instanceof Document)) {
            throw CommandError.unsupported("dropIndexes with " + ShellText.of(which));
        }
        for (IndexState index : collection.indexes()) {
            boolean isMeant = which instanceof Document key
                    ? ValueOrder.same(key, index.spec().keyPattern())
                    : index.spec().name().equals(which);
            if (isMeant) {
                if (index.spec().isId()) {
                    throw CommandError.invalidOptions("cannot drop _id index");
                }
                return List.of(index);
            }
        }
        throw notFound(which);
    }

    private static CommandError notFound(Object which) {
        return new CommandError(
                ErrorCode.INDEX_NOT_FOUND,
                which instanceof String
                        ? "index not found with name [" + which + "]"
                        : "can't find index with key: " + which);
    }
}
