package org.mongolocks.contract.setup;

import java.util.Optional;

/**
 * Finds the server for the contract, once for each JVM: the one that {@code MONGO_LOCKS_URI} names, else one that
 * Docker starts, else the embedded one. The choice is always printed.
 */
public final class ServerFinder {
    private static final String URI = "MONGO_LOCKS_URI";

    private ServerFinder() {}

    /** The servers, each started when first requested. */
    private static final class Found {
        private static final ContractServer SERVER = announced(find());
    }

    private static final class Standalone {
        private static final ContractServer SERVER = announced(EmbeddedContractServer.standalone());
    }

    private static final class Embedded {
        private static final ContractServer SERVER = EmbeddedContractServer.replicaSet();
    }

    public static ContractServer found() {
        return Found.SERVER;
    }

    /** Returns the embedded server, for tests that do not depend on the server. */
    public static ContractServer embedded() {
        return Embedded.SERVER;
    }

    public static ContractServer standalone() {
        return Standalone.SERVER;
    }

    /** Returns whether {@code MONGO_LOCKS_URI} names a server, which has a clock of its own. */
    static boolean isConfigured() {
        return configured().isPresent();
    }

    private static ContractServer find() {
        Optional<String> uri = configured();
        if (uri.isPresent()) {
            return new RealTimeServer("the server that " + URI + " names", uri.get());
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
}
