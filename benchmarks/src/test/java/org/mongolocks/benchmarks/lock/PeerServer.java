package org.mongolocks.benchmarks.lock;

import static org.junit.jupiter.api.Assumptions.abort;

import java.util.Optional;

/**
 * A server that the lock of another library needs. A test is skipped, with a reason, if the address of its server is
 * not set.
 */
public enum PeerServer {
    /** For Redisson. */
    REDIS("MONGO_LOCKS_REDIS", "redis://localhost:6379"),
    /** For Curator. */
    ZOOKEEPER("MONGO_LOCKS_ZOOKEEPER", "localhost:2181"),
    /** For jetcd. */
    ETCD("MONGO_LOCKS_ETCD", "localhost:2379");

    private final String variable;
    private final String example;

    PeerServer(String variable, String example) {
        this.variable = variable;
        this.example = example;
    }

    /** Returns the address from the system property or environment variable, or skips the test. */
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
