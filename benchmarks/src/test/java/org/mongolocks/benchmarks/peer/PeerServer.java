package org.mongolocks.benchmarks.peer;

import static org.junit.jupiter.api.Assumptions.abort;

import java.util.Optional;

/** Is a server that a lock of others needs. A test that needs one which nobody names is skipped, and says so. */
public enum PeerServer {
    /** For Redisson. */
    REDIS("MONGO_LOCKS_REDIS", "redis://localhost:6379"),
    /** For Curator. */
    ZOOKEEPER("MONGO_LOCKS_ZOOKEEPER", "localhost:2181");

    private final String variable;
    private final String example;

    PeerServer(String variable, String example) {
        this.variable = variable;
        this.example = example;
    }

    /** Gives the address that the system property or environment variable names, or skips the test. */
    public String address() {
        String reason = variable + " names no server; set it, in the environment or as a system property, to an"
                + " address such as " + example;
        return named().orElseGet(() -> abort(reason));
    }

    private Optional<String> named() {
        return Optional.ofNullable(System.getProperty(variable))
                .or(() -> Optional.ofNullable(System.getenv(variable)))
                .filter(address -> !address.isBlank());
    }
}
