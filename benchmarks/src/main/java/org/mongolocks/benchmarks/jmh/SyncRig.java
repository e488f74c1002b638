package org.mongolocks.benchmarks.jmh;

import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.server.TargetServer;
import org.mongolocks.spi.LockStrategy;

/** Stands on the synchronous driver. */
final class SyncRig implements Rig {
    private final TargetServer server;
    private final Workbench bench;

    SyncRig(TargetServer server) {
        this.server = server;
        this.bench = new Workbench(server);
    }

    @Override
    public Workbench bench() {
        return bench;
    }

    @Override
    public Locker locker(LockStrategy strategy) throws InterruptedException {
        return new SyncLocker(bench.client(strategy));
    }

    @Override
    public Runnable floor() {
        return bench.floor()::run;
    }

    @Override
    public void close() {
        try (server) {
            bench.close();
        }
    }
}
