package org.mongolocks.contract;

import java.util.Optional;

/**
 * Finds the server for the contract, once for each JVM: the one that {@code MONGO_LOCKS_URI} names, else one that
 * Docker starts, else the embedded one. Which one it is, is printed; nothing is passed over in silence.
 */
final class ServerFinder {
    private static final String URI = "MONGO_LOCKS_URI";

    private ServerFinder() {}

    /** Makes each server when it is first asked for. */
    private static final class Found {
        private static final ContractServer SERVER = announced(find());
    }

    private static final class Standalone {
        private static final ContractServer SERVER = announced(EmbeddedServer.standalone());
    }

    private static final class Embedded {
        private static final ContractServer SERVER = EmbeddedServer.replicaSet();
    }

    static ContractServer found() {
        return Found.SERVER;
    }

    /** Gives the embedded server, for what is no question about a server. */
    static ContractServer embedded() {
        return Embedded.SERVER;
    }

    static ContractServer standalone() {
        return Standalone.SERVER;
    }

    /** Returns whether a server is named, whose clock is its own. */
    static boolean isConfigured() {
        return configured().isPresent();
    }

    private static ContractServer find() {
        Optional<String> uri = configured();
        if (uri.isPresent()) {
            return new RunningServer("the server that " + URI + " names", uri.get());
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
