package org.mongolocks.benchmarks.jmh;

import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.server.TargetServer;

/**
 * Is what a benchmark stands on: the server that the environment names, or an embedded one.
 *
 * @param server the server
 * @param bench its connections and collections
 */
record Stage(TargetServer server, Workbench bench) implements AutoCloseable {
    /** Connects, and says in the output to which server. */
    static Stage open() {
        TargetServer server = TargetServer.ofEnvironment();
        System.out.println(server.describe().line());
        return new Stage(server, new Workbench(server));
    }

    /** Ends everything, also a server that was started for it. */
    @Override
    public void close() {
        try (server) {
            bench.close();
        }
    }
}
