package org.mongolocks.embedded.internal.state;

import java.time.Duration;
import java.time.InstantSource;

/**
 * How a server is set up.
 *
 * @param isReplicaSet whether it is the only member of a replica set, or standalone
 * @param host the address that it reports to its clients, {@code host:port}
 * @param clock its wall clock
 * @param seed where its random ids begin
 * @param ttlMonitorSeconds how often expired documents are looked for
 * @param oplogCapacity how many changes it remembers
 * @param isRouter whether it passes for a router before the shards of a cluster
 * @param hasUpdatePipelines whether an update may be a pipeline
 * @param version the version of MongoDB that it answers as
 * @param eventInterval how often events are delivered; zero if they are at once
 * @param maxWireVersion the newest version of the wire protocol that it claims
 */
public record ServerConfig(
        boolean isReplicaSet,
        String host,
        InstantSource clock,
        long seed,
        int ttlMonitorSeconds,
        int oplogCapacity,
        boolean isRouter,
        boolean hasUpdatePipelines,
        ServerVersion version,
        Duration eventInterval,
        int maxWireVersion) {
    /** The name of the replica set. */
    public static final String SET_NAME = "rs0";
}
