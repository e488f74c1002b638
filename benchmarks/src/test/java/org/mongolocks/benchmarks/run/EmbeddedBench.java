package org.mongolocks.benchmarks.run;

import java.util.Optional;
import org.mongolocks.benchmarks.target.TargetServer;

/** A run environment on its own embedded server, which is closed with it. */
public final class EmbeddedBench implements AutoCloseable {
    private final TargetServer server = TargetServer.of(Optional.empty());
    private final RunEnvironment bench = new RunEnvironment(server);

    public RunEnvironment bench() {
        return bench;
    }

    @Override
    public void close() {
        bench.close();
        server.close();
    }
}
