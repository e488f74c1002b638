package org.mongolocks.server;

import com.mongodb.client.MongoDatabase;
import java.util.Optional;
import org.bson.Document;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.mongodb.MongoDBContainer;

/**
 * Finds the server for the contract, once for each JVM: the one that {@code MONGO_LOCKS_URI} names, or an embedded router if
 * that is {@value #EMBEDDED_ROUTER}, else one that Docker starts, else the embedded one. The choice is always printed.
 */
public final class ServerFinder {
    private static final String URI = "MONGO_LOCKS_URI";
    private static final String EMBEDDED_ROUTER = "embedded-router";

    private ServerFinder() {}

    /** The servers, each started when first requested. */
    private static final class Found {
        private static final ContractServer SERVER = announced(find());
    }

    private static final class Standalone {
        private static final ContractServer SERVER = announced(EmbeddedContractServer.standalone());
    }

    private static final class Router {
        private static final ContractServer SERVER = EmbeddedContractServer.router();
    }

    private static final class WithoutUpdatePipelines {
        private static final ContractServer SERVER = announced(EmbeddedContractServer.withoutUpdatePipelines());
    }

    private static final class Embedded {
        private static final ContractServer SERVER = EmbeddedContractServer.replicaSet();
    }

    /** Returns the server, with leases that suit its pace at this time. */
    public static ContractServer found() {
        return Found.SERVER instanceof RealTimeServer real ? real.now() : Found.SERVER;
    }

    /** Returns the embedded server, for tests that do not depend on the server. */
    public static ContractServer embedded() {
        return Embedded.SERVER;
    }

    public static ContractServer standalone() {
        return Standalone.SERVER;
    }

    /** Returns an embedded router of a sharded cluster. */
    public static ContractServer router() {
        return Router.SERVER;
    }

    /** Returns an embedded replica set that refuses updates by a pipeline. */
    public static ContractServer withoutUpdatePipelines() {
        return WithoutUpdatePipelines.SERVER;
    }

    /** Returns whether {@code MONGO_LOCKS_URI} names a server, which has a clock of its own. */
    public static boolean isConfigured() {
        return configured().filter(uri -> !uri.equals(EMBEDDED_ROUTER)).isPresent();
    }

    private static ContractServer find() {
        Optional<String> uri = configured();
        if (uri.equals(Optional.of(EMBEDDED_ROUTER))) {
            return router();
        }
        if (uri.isPresent()) {
            return RealTimeServer.at("the server that " + URI + " names", uri.get());
        }
        return Docker.startServer().orElseGet(ServerFinder::embedded);
    }

    private static Optional<String> configured() {
        return Optional.ofNullable(System.getProperty(URI, System.getenv(URI))).filter(value -> !value.isBlank());
    }

    private static ContractServer announced(ContractServer server) {
        System.out.println("mongo-locks contract: running on " + server.description());
        return server;
    }

    /** Starts a server in Docker, by Testcontainers, if Docker is available. */
    static final class Docker {
        private static final String IMAGE = "mongo:7.0";

        private Docker() {}

        /** Starts a replica set with one member; Testcontainers stops it when the JVM exits. */
        static Optional<ContractServer> startServer() {
            readClassPath();
            if (!DockerClientFactory.instance().isDockerAvailable()) {
                return Optional.empty();
            }
            MongoDBContainer container =
                    new MongoDBContainer(IMAGE).withReplicaSet().withCommand("--replSet", "docker-rs");
            container.start();
            return Optional.of(RealTimeServer.at(IMAGE + " in Docker", container.getReplicaSetUrl()));
        }

        /** Makes the class path readable, which a module must request explicitly. */
        private static void readClassPath() {
            Docker.class.getModule().addReads(ClassLoader.getSystemClassLoader().getUnnamedModule());
        }
    }

    /**
     * Version and topology of a server.
     *
     * @param version its version
     * @param topology standalone, replica set or sharded cluster
     */
    record ServerInfo(String version, String topology) {
        private static final String STANDALONE = "standalone";
        private static final String SHARDED = "sharded cluster";

        static ServerInfo ask(MongoDatabase admin) {
            Document hello = admin.runCommand(new Document("isMaster", 1));
            String version = admin.runCommand(new Document("buildInfo", 1)).getString("version");
            if (hello.containsKey("setName")) {
                return new ServerInfo(version, "replica set " + hello.getString("setName"));
            }
            return new ServerInfo(version, hello.containsKey("msg") ? SHARDED : STANDALONE);
        }

        boolean isStandalone() {
            return topology.equals(STANDALONE);
        }

        boolean isSharded() {
            return topology.equals(SHARDED);
        }

        @Override
        public String toString() {
            return "MongoDB " + version + ", " + topology;
        }
    }
}
