package org.mongolocks.embedded.internal.engine;

import de.bwaldvogel.mongo.bson.Document;
import java.time.InstantSource;
import java.util.Map;

/**
 * How a server is set up.
 *
 * @param isReplicaSet whether it is the only member of a replica set, or standalone
 * @param host the address that it tells its clients, {@code host:port}
 * @param clock its wall clock
 * @param seed where its random ids begin
 * @param ttlMonitorSeconds how often expired documents are looked for
 * @param oplogCapacity how many changes it remembers
 * @param shardKeys the collections that are sharded from the beginning, by name
 * @param isRouter whether it passes for a router before the shards of a cluster
 */
public record ServerConfig(
        boolean isReplicaSet,
        String host,
        InstantSource clock,
        long seed,
        int ttlMonitorSeconds,
        int oplogCapacity,
        Map<String, Document> shardKeys,
        boolean isRouter) {
    /** Checks what only a router has. */
    public static void checkSharding(boolean isReplicaSet, boolean isRouter, Map<String, Document> shardKeys) {
        if (!isRouter && !shardKeys.isEmpty()) {
            throw new IllegalStateException("only a router has sharded collections");
        }
        if (isRouter && !isReplicaSet) {
            throw new IllegalStateException("a router cannot be standalone");
        }
    }

    /** The name of the replica set. */
    public static final String SET_NAME = "rs0";

    /** How many changes are remembered unless asked otherwise. */
    public static final int DEFAULT_OPLOG_CAPACITY = 20_000;

    /** How often MongoDB looks for expired documents unless asked otherwise. */
    public static final int DEFAULT_TTL_SECONDS = 60;
}
