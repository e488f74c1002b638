package org.mongolocks.benchmarks.jmh;

import org.mongolocks.benchmarks.run.RunEnvironment;
import org.mongolocks.reporting.server.Target;

/**
 * The server of a JMH benchmark, with connections: the server that the environment names, or an embedded one.
 *
 * @param server the server
 * @param environment its connections and collections
 */
record ServerState(Target server, RunEnvironment environment) implements AutoCloseable {
    /** Connects, and prints a description of the server. */
    static ServerState open() {
        Target server = Target.ofEnvironment();
        try {
            System.out.println("Server: " + server.describe().words());
            return new ServerState(server, new RunEnvironment(server));
        } catch (RuntimeException e) {
            server.close();
            throw e;
        }
    }

    /** Closes all connections, and ends an embedded server. */
    @Override
    public void close() {
        try (server) {
            environment.close();
        }
    }
}
