package org.mongolocks.benchmarks.run;

import java.util.Optional;
import org.mongolocks.reporting.server.Target;

/** A run environment on its own embedded server, which is closed with it. */
public final class EmbeddedEnvironment implements AutoCloseable {
    private final Target server = Target.of(Optional.empty());
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
