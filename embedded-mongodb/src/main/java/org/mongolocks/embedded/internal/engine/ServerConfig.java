package org.mongolocks.embedded.internal.engine;

import java.time.InstantSource;

/**
 * How a server is set up.
 *
 * @param isReplicaSet whether it is the only member of a replica set, or standalone
 * @param host the address that it tells its clients, {@code host:port}
 * @param clock its wall clock
 * @param seed where its random ids begin
 * @param ttlMonitorSeconds how often expired documents are looked for
 * @param oplogCapacity how many changes it remembers
 */
public record ServerConfig(
        boolean isReplicaSet, String host, InstantSource clock, long seed, int ttlMonitorSeconds, int oplogCapacity) {
    /** The name of the replica set. */
    public static final String SET_NAME = "rs0";

    /** How many changes are remembered unless asked otherwise. */
    public static final int DEFAULT_OPLOG_CAPACITY = 20_000;

    /** How often MongoDB looks for expired documents unless asked otherwise. */
    public static final int DEFAULT_TTL_SECONDS = 60;
}
