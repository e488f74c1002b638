package org.mongolocks.embedded.internal.storage;

import de.bwaldvogel.mongo.bson.Document;
import org.jspecify.annotations.Nullable;
import org.mongolocks.embedded.internal.bson.Collation;

/**
 * The options of a collection.
 *
 * @param collation how its strings compare where a command does not say, or null for the simple collation
 * @param capped the bounds of a capped collection, or null
 * @param validation the rules for its documents, or null
 * @param shardKey how its documents are spread over shards, or null if it is not sharded
 */
public record CollectionOptions(
        @Nullable Collation collation,
        @Nullable Capped capped,
        @Nullable Validation validation,
        @Nullable ShardKey shardKey) {
    /** A collection without options. */
    public static final CollectionOptions NONE = new CollectionOptions(null, null, null, null);

    /**
     * The bounds of a capped collection.
     *
     * @param size how many bytes it may have
     * @param max how many documents it may have, zero for any number
     */
    public record Capped(long size, long max) {
        private static final long MIN_SIZE = 4096;

        boolean isExceeded(long bytes, long documents) {
            return bytes > Math.max(size, MIN_SIZE) || (max > 0 && documents > max);
        }
    }

    /** These options with other rules for documents. */
    public CollectionOptions validatedBy(@Nullable Validation changed) {
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
            shown.putAll(validation.document());
        }
        if (collation != null) {
            shown.append("collation", collation.definition());
        }
        return shown;
    }
}
