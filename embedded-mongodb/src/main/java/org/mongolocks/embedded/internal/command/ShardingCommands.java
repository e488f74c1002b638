package org.mongolocks.embedded.internal.command;

import de.bwaldvogel.mongo.bson.Document;
import java.util.Map.Entry;
import java.util.Set;
import org.mongolocks.embedded.internal.bson.ShellText;
import org.mongolocks.embedded.internal.bson.ValueOrder;
import org.mongolocks.embedded.internal.bson.Values;
import org.mongolocks.embedded.internal.engine.Call;
import org.mongolocks.embedded.internal.engine.Sharding;
import org.mongolocks.embedded.internal.error.CommandError;
import org.mongolocks.embedded.internal.error.ErrorCode;
import org.mongolocks.embedded.internal.index.IndexSpecParser;
import org.mongolocks.embedded.internal.index.IndexState;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.storage.ShardKey;
import org.mongolocks.embedded.internal.write.CollectionAccess;

/** enableSharding and shardCollection, which routers have. */
final class ShardingCommands {
    private static final int ALREADY_INITIALIZED = 23;

    private ShardingCommands() {}

    static Document enable(Call call) {
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

    static Document shard(Call call) {
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
            Sharding.shard(call.server(), namespace, key, isUnique);
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
}
