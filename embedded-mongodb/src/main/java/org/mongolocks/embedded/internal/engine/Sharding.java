package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.bson.ObjectId;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.mongolocks.embedded.internal.oplog.Change;
import org.mongolocks.embedded.internal.storage.CollectionOptions;
import org.mongolocks.embedded.internal.storage.CollectionState;
import org.mongolocks.embedded.internal.storage.CollectionState.StoredRecord;
import org.mongolocks.embedded.internal.storage.Namespace;
import org.mongolocks.embedded.internal.storage.ShardKey;
import org.mongolocks.embedded.internal.work.Store;
import org.mongolocks.embedded.internal.work.Workspace;

/** What a router writes down about its cluster, in the database {@code config} as in MongoDB 4.4. */
public final class Sharding {
    private static final String SHARD = "shard01";
    private static final Namespace COLLECTIONS = new Namespace("config", "collections");
    // What routers of 4.4 wrote for a collection with one chunk.
    private static final Instant FIRST_VERSION = Instant.ofEpochMilli(4_294_967_296L);

    private Sharding() {}

    static void begin(Server server) {
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
                        .append("mongoVersion", "4.4.0")
                        .append("ping", server.clock().instant())
                        .append("up", 0L)
                        .append("waiting", true));
    }

    private static void insert(Server server, Namespace namespace, Document document) {
        Workspace workspace = server.direct();
        CollectionState existing = workspace.catalog().get(namespace);
        workspace.insert(existing == null ? workspace.create(namespace, CollectionOptions.NONE) : existing, document);
    }

    /** Shards a collection that exists. */
    public static void shard(Server server, Namespace namespace, ShardKey key, boolean isUnique) {
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
