package org.mongolocks.benchmarks.run;

import java.util.Optional;
import org.mongolocks.benchmarks.server.TargetServer;

/** A run environment on its own embedded server, which is closed with it. */
public final class EmbeddedEnvironment implements AutoCloseable {
    private final TargetServer server = TargetServer.of(Optional.empty());
    private final RunEnvironment environment = new RunEnvironment(server);

    public RunEnvironment environment() {
        return environment;
    }

    @Override
    public void close() {
        environment.close();
        server.close();
    }
}
