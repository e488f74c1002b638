package org.mongolocks.embedded.internal.state;

import de.bwaldvogel.mongo.bson.Document;
import java.time.InstantSource;
import java.util.LinkedHashMap;
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
    /** The name of the replica set. */
    public static final String SET_NAME = "rs0";

    /** What the builders of servers have in common. */
    public static final class Builder {
        private InstantSource clock = InstantSource.system();
        private boolean isReplicaSet = true;
        private boolean isRouter;
        private long seed;
        private int ttlMonitorSeconds = 60;
        private int oplogCapacity = 20_000;
        private final Map<String, Document> shardKeys = new LinkedHashMap<>();

        public InstantSource clock() {
            return clock;
        }

        public void clock(InstantSource source) {
            this.clock = source;
        }

        public boolean isReplicaSet() {
            return isReplicaSet;
        }

        public void standalone() {
            this.isReplicaSet = false;
        }

        public boolean isRouter() {
            return isRouter;
        }

        public void router() {
            this.isRouter = true;
        }

        public void seed(long start) {
            this.seed = start;
        }

        public void ttlMonitorSeconds(int seconds) {
            this.ttlMonitorSeconds = atLeastOne(seconds, "ttlMonitorSeconds");
        }

        public void oplogCapacity(int entries) {
            this.oplogCapacity = atLeastOne(entries, "oplogCapacity");
        }

        private static int atLeastOne(int value, String name) {
            if (value < 1) {
                throw new IllegalArgumentException(name + " must be at least 1, but is " + value);
            }
            return value;
        }

        public void sharded(String namespace, String... key) {
            Document pattern = new Document();
            for (String field : key) {
                pattern.put(field, 1);
            }
            shardKeys.put(namespace, pattern);
        }

        /** Checks what only a router has. */
        public void checkSharding() {
            if (!isRouter && !shardKeys.isEmpty()) {
                throw new IllegalStateException("only a router has sharded collections");
            }
            if (isRouter && !isReplicaSet) {
                throw new IllegalStateException("a router cannot be standalone");
            }
        }

        public ServerConfig build(String host) {
            Map<String, Document> sharded = new LinkedHashMap<>(shardKeys);
            return new ServerConfig(
                    isReplicaSet, host, clock, seed, ttlMonitorSeconds, oplogCapacity, sharded, isRouter);
        }
    }
}
