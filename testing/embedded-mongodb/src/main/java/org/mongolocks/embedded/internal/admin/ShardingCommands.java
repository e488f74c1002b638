package org.mongolocks.embedded.internal.admin;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.time.Instant;
import java.util.List;
import java.util.Map.Entry;
import java.util.Objects;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Fields;
import org.mongolocks.embedded.internal.engine.Server;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.index.IndexSpecParser;
import org.mongolocks.embedded.internal.index.IndexState;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.storage.CollectionOptions;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.storage.ShardKey;
import org.mongolocks.embedded.internal.work.Store;
import org.mongolocks.embedded.internal.work.Workspace;
import org.mongolocks.embedded.internal.write.CollectionAccess;

/**
 * enableSharding and shardCollection, which routers have, and the metadata of a cluster that a router keeps in the database {@code config}, as in
 * MongoDB 4.4.
 */
public final class ShardingCommands {
    private static final int ALREADY_INITIALIZED = 23;

    private static final String SHARD = "shard01";
    private static final Namespace COLLECTIONS = new Namespace("config", "collections");
    // The metadata that routers of 4.4 wrote for a collection with one chunk.
    private static final Instant FIRST_VERSION = Instant.ofEpochMilli(4_294_967_296L);

    private ShardingCommands() {}

    public static Document enable(Call call) {
        requireRouter(call);
        Fields.ofCommand(call.command(), Set.of("primaryShard"));
        return new Document();
    }

    private static void requireRouter(Call call) {
        if (!call.server().config().isRouter()) {
            throw new CommandError(
                    ErrorCode.COMMAND_NOT_FOUND,
                    "no such command: '" + call.definition().name() + "'");
        }
    }

    public static Document shard(Call call) {
        requireRouter(call);
        Fields fields = Fields.ofCommand(
                call.command(), Set.of("key", "unique", "numInitialChunks", "collation", "presplitHashedZones"));
        Namespace namespace = Namespace.of(String.valueOf(call.target())).checkedForCreation();
        ShardKey key = key(fields.requiredDocument("key"));
        boolean isUnique = Values.isTrue(fields.get("unique"));
        CollectionState collection = CollectionAccess.forInsert(call, namespace);
        ShardKey known = collection.options().shardKey();
        if (known != null && !ValueOrder.same(known.pattern(), key.pattern())) {
            throw new CommandError(
                    ALREADY_INITIALIZED, "sharding already enabled for collection " + namespace + " with another key");
        }
        if (known == null) {
            checkUnique(collection, key);
            addIndex(call, collection, key, isUnique);
            noteSharded(call.server(), namespace, key, isUnique);
        }
        return new Document("collectionsharded", namespace.toString()).append("collectionUUID", collection.uuid());
    }

    private static ShardKey key(Document pattern) {
        for (Entry<String, Object> field : pattern.entrySet()) {
            if ("hashed".equals(field.getValue())) {
                throw CommandError.unsupported("a hashed shard key");
            }
            if (!ValueOrder.same(field.getValue(), 1)) {
                throw CommandError.badValue("Unsupported shard key pattern " + ShellText.of(pattern) + ".");
            }
        }
        if (pattern.isEmpty()) {
            throw CommandError.badValue("Shard key is empty");
        }
        return new ShardKey(pattern);
    }

    private static void checkUnique(CollectionState collection, ShardKey key) {
        for (IndexState index : collection.indexes()) {
            if (!index.spec().isId()
                    && index.spec().isUnique()
                    && !key.isPrefixOf(index.spec().keyPattern())) {
                throw CommandError.invalidOptions(
                        "can't shard collection '" + collection.namespace() + "' with unique index on "
                                + ShellText.of(index.spec().keyPattern())
                                + ". Uniqueness can't be maintained unless shard key is a prefix");
            }
        }
    }

    private static void addIndex(Call call, CollectionState collection, ShardKey key, boolean isUnique) {
        boolean hasIndex = collection.indexes().stream()
                .anyMatch(index -> key.isPrefixOf(index.spec().keyPattern()));
        if (hasIndex) {
            return;
        }
        if (!collection.records().isEmpty()) {
            throw CommandError.invalidOptions(
                    "Please create an index that starts with the proposed shard key before sharding the collection");
        }
        Document definition = new Document("key", key.pattern())
                .append("name", String.join("_1_", key.pattern().keySet()) + "_1");
        if (isUnique) {
            definition.put("unique", true);
        }
        Namespace namespace = collection.namespace();
        call.workspace()
                .index(
                        namespace,
                        IndexSpecParser.parse(
                                definition,
                                namespace.toString(),
                                collection.options().collation()));
    }

    /** Notes the cluster that a router belongs to. */
    public static void begin(Server server) {
        String host = server.config().host();
        insert(
                server,
                new Namespace("config", "shards"),
                new Document("_id", SHARD).append("host", SHARD + '/' + host).append("state", 1));
        insert(
                server,
                new Namespace("config", "mongos"),
                new Document("_id", host)
                        .append("advisoryHostFQDNs", List.of())
                        .append("mongoVersion", server.config().version().full())
                        .append("ping", server.clock().instant())
                        .append("up", 0L)
                        .append("waiting", true));
    }

    private static void insert(Server server, Namespace namespace, Document document) {
        Workspace workspace = server.direct();
        CollectionState existing = workspace.catalog().get(namespace);
        workspace.insert(existing == null ? workspace.create(namespace, CollectionOptions.NONE) : existing, document);
    }

    private static void noteSharded(Server server, Namespace namespace, ShardKey key, boolean isUnique) {
        Store store = server.store();
        CollectionState collection = Objects.requireNonNull(store.catalog().get(namespace));
        store.commit(
                store.catalog().with(collection.with(collection.options().with(key))), new Change.Other(namespace));
        forget(server, namespace);
        insert(
                server,
                COLLECTIONS,
                new Document("_id", namespace.toString())
                        .append("lastmodEpoch", server.ids().objectId())
                        .append("lastmod", FIRST_VERSION)
                        .append("dropped", false)
                        .append("key", key.pattern())
                        .append("unique", isUnique)
                        .append("uuid", collection.uuid())
                        .append("distributionMode", "sharded"));
    }

    /** Notes that a collection is gone. */
    public static void drop(Server server, CollectionState collection) {
        if (collection.options().shardKey() != null) {
            forget(server, collection.namespace());
            insert(
                    server,
                    COLLECTIONS,
                    new Document("_id", collection.namespace().toString())
                            .append("lastmodEpoch", new ObjectId(new byte[12]))
                            .append("lastmod", server.clock().instant())
                            .append("dropped", true));
        }
    }

    private static void forget(Server server, Namespace namespace) {
        CollectionState known = server.direct().catalog().get(COLLECTIONS);
        StoredRecord record = known == null ? null : known.byId(namespace.toString());
        if (known != null && record != null) {
            server.direct().delete(known, record);
        }
    }
}
