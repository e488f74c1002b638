package org.mongolocks.benchmarks.jmh;

import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.server.TargetServer;

/**
 * The server of a JMH benchmark, with connections: the server that the environment names, or an embedded one.
 *
 * @param server the server
 * @param bench its connections and collections
 */
record Stage(TargetServer server, Workbench bench) implements AutoCloseable {
    /** Connects, and prints a description of the server. */
    static Stage open() {
        TargetServer server = TargetServer.ofEnvironment();
        System.out.println(server.describe().line());
        return new Stage(server, new Workbench(server));
    }

    /** Closes all connections, and ends an embedded server. */
    @Override
    public void close() {
        try (server) {
            bench.close();
        }
    }
}
