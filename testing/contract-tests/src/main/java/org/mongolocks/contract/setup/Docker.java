package org.mongolocks.contract.setup;

import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.mongodb.MongoDBContainer;

/** Starts a server in Docker, by Testcontainers, if Docker is available. */
final class Docker {
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
        return Optional.of(new RealTimeServer(IMAGE + " in Docker", container.getReplicaSetUrl()));
    }

    /** Makes the class path readable, which a module must request explicitly. */
    private static void readClassPath() {
        Docker.class.getModule().addReads(ClassLoader.getSystemClassLoader().getUnnamedModule());
    }
}
