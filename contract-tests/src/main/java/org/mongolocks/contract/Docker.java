package org.mongolocks.contract;

import java.util.Optional;
import org.testcontainers.DockerClientFactory;
import org.testcontainers.mongodb.MongoDBContainer;

/** Starts a server in Docker, by Testcontainers, where Docker runs. */
final class Docker {
    private static final String IMAGE = "mongo:7.0";

    private Docker() {}

    /** Starts a replica set of one; Testcontainers ends it with the JVM. */
    static Optional<ContractServer> startServer() {
        readClassPath();
        if (!DockerClientFactory.instance().isDockerAvailable()) {
            return Optional.empty();
        }
        MongoDBContainer container =
                new MongoDBContainer(IMAGE).withReplicaSet().withCommand("--replSet", "docker-rs");
        container.start();
        return Optional.of(new RunningServer(IMAGE + " in Docker", container.getReplicaSetUrl()));
    }

    /** On the module path this module does not see the class path unless it says so. */
    private static void readClassPath() {
        Docker.class.getModule().addReads(ClassLoader.getSystemClassLoader().getUnnamedModule());
    }
}
