package org.mongolocks.embedded.internal.storage;

import de.bwaldvogel.mongo.bson.Document;
import org.jspecify.annotations.Nullable;

/**
 * The options of a collection.
 *
 * @param collation the collation of its strings, or null for the simple one
 * @param capped the bounds of a capped collection, or null
 * @param validation the rules for its documents, or null
 * @param shardKey how its documents are spread over shards, or null if it is not sharded
 */
public record CollectionOptions(
        @Nullable Document collation,
        @Nullable Capped capped,
        @Nullable Document validation,
        @Nullable ShardKey shardKey) {
    /** A collection without options. */
    public static final CollectionOptions NONE = new CollectionOptions(null, null, null, null);

    /**
     * The bounds of a capped collection.
     *
     * @param size how many bytes it may have
     * @param max how many documents it may have, zero for any number
     */
    public record Capped(long size, long max) {}

    /** These options with other rules for documents. */
    public CollectionOptions validatedBy(@Nullable Document changed) {
        return new CollectionOptions(collation, capped, changed, shardKey);
    }

    /** These options with a shard key. */
    public CollectionOptions with(ShardKey key) {
        return new CollectionOptions(collation, capped, validation, key);
    }

    /** The options as listCollections shows them. */
    public Document document() {
        Document shown = new Document();
        if (capped != null) {
            shown.append("capped", true).append("size", capped.size());
            if (capped.max() > 0) {
                shown.append("max", capped.max());
            }
        }
        if (validation != null) {
            shown.putAll(validation);
        }
        if (collation != null) {
            shown.append("collation", collation);
        }
        return shown;
    }
}
