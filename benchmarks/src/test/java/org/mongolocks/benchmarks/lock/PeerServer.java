package org.mongolocks.benchmarks.lock;

import static org.junit.jupiter.api.Assumptions.abort;

import java.util.Map;
import java.util.Optional;
import org.mongolocks.benchmarks.lock.OtherLibraries.Server;

/**
 * A server that the lock of another library needs. A test is skipped, with a reason, if the address of its server is
 * not set.
 */
public final class PeerServer {
    private static final Map<Server, String> EXAMPLES = Map.of(
            Server.REDIS, "redis://localhost:6379",
            Server.ZOOKEEPER, "localhost:2181",
            Server.ETCD, "localhost:2379",
            Server.POSTGRESQL, "jdbc:postgresql://localhost:5432/postgres?user=postgres");

    private PeerServer() {}

    /** Returns the address from the system property or environment variable, or skips the test. */
    public static String addressOf(Server server) {
        String variable = "MONGO_LOCKS_" + server.name();
        String reason = variable + " names no server; set it, in the environment or as a system property, to an"
                + " address such as " + EXAMPLES.get(server);
        return named(variable).orElseGet(() -> abort(reason));
    }

    private static Optional<String> named(String variable) {
        return Optional.ofNullable(System.getProperty(variable))
                .or(() -> Optional.ofNullable(System.getenv(variable)))
                .filter(address -> !address.isBlank());
    }
}
