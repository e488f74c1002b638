package org.mongolocks.benchmarks;

import java.util.Optional;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.server.TargetServer;

/** Is a workbench on an embedded server of its own, which ends with it. */
public final class EmbeddedBench implements AutoCloseable {
    private final TargetServer server = TargetServer.of(Optional.empty());
    private final Workbench bench = new Workbench(server);

    public Workbench bench() {
        return bench;
    }

    @Override
    public void close() {
        bench.close();
        server.close();
    }
}
