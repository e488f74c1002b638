package org.mongolocks.benchmarks.jmh;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import org.mongolocks.LockException;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.server.TargetServer;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.spi.LockStrategy;

/** Stands on the reactive-streams driver. */
final class ReactiveRig implements Rig {
    private final TargetServer server;
    private final Workbench bench;
    private final MongoClient mongo;

    ReactiveRig(TargetServer server) {
        this.server = server;
        this.bench = new Workbench(server);
        this.mongo = MongoClients.create(server.settings().build());
    }

    @Override
    public Workbench bench() {
        return bench;
    }

    @Override
    public Locker locker(LockStrategy strategy) {
        return bench.configure(ReactiveLockClient.builder(mongo, Workbench.DATABASE), strategy)
                .build()
                .<Locker>map(ReactiveLocker::new)
                .blockOptional()
                .orElseThrow(() -> new LockException("No client was built"));
    }

    @Override
    public Runnable floor() {
        return new ReactiveFloor(mongo.getDatabase(Workbench.DATABASE).getCollection(bench.name("floor")));
    }

    @Override
    public void close() {
        try (server;
                mongo) {
            bench.close();
        }
    }
}
