package org.mongolocks.contract.setup;

import com.mongodb.client.MongoDatabase;
import org.bson.Document;

/**
 * Version and topology of a server.
 *
 * @param version its version
 * @param topology standalone, replica set or sharded cluster
 */
record ServerInfo(String version, String topology) {
    private static final String STANDALONE = "standalone";

    static ServerInfo ask(MongoDatabase admin) {
        Document hello = admin.runCommand(new Document("isMaster", 1));
        String version = admin.runCommand(new Document("buildInfo", 1)).getString("version");
        if (hello.containsKey("setName")) {
            return new ServerInfo(version, "replica set " + hello.getString("setName"));
        }
        return new ServerInfo(version, hello.containsKey("msg") ? "sharded cluster" : STANDALONE);
    }

    boolean isStandalone() {
        return topology.equals(STANDALONE);
    }

    @Override
    public String toString() {
        return "MongoDB " + version + ", " + topology;
    }
}
