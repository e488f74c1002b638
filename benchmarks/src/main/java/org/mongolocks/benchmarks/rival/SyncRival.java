package org.mongolocks.benchmarks.rival;

import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import java.util.Optional;
import java.util.OptionalLong;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.measure.CommandCounter;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** Is a strategy through the synchronous client. */
public final class SyncRival implements Rival {
    private final Workbench bench;
    private final LockStrategy strategy;
    private final CommandCounter commands = new CommandCounter();
    private final MongoClient mongo;

    public SyncRival(Workbench bench, LockStrategy strategy) {
        this.bench = bench;
        this.strategy = strategy;
        this.mongo = MongoClients.create(
                bench.settings().addCommandListener(commands).build());
    }

    @Override
    public String id() {
        return strategy.name();
    }

    @Override
    public Client client() {
        return Client.SYNC;
    }

    @Override
    public Locks open() throws InterruptedException {
        return new ClientLocks(bench.configure(LockClient.builder(mongo, Workbench.DATABASE), strategy)
                .build());
    }

    @Override
    public Waiting waiting() {
        return bench.waiting();
    }

    @Override
    public OptionalLong commands() {
        return OptionalLong.of(commands.count());
    }

    @Override
    public void close() {
        mongo.close();
    }

    private record ClientLocks(LockClient client) implements Locks {
        @Override
        public Optional<Grant> acquire(LockRequest request) throws InterruptedException {
            return client.acquire(request).map(Held::new);
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private record Held(HeldLock lock) implements Grant {
        @Override
        public OptionalLong fencingToken() {
            return OptionalLong.of(lock.fencingToken());
        }

        @Override
        public boolean release() {
            return lock.release();
        }
    }
}
