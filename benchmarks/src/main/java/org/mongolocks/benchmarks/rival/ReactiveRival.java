package org.mongolocks.benchmarks.rival;

import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import java.util.Optional;
import java.util.OptionalLong;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.measure.CommandCounter;
import org.mongolocks.benchmarks.measure.Workbench;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.spi.LockStrategy;

/** Is a strategy through the reactive client. The calling thread waits for each reply; who is parked needs none. */
public final class ReactiveRival implements Rival {
    private final Workbench bench;
    private final LockStrategy strategy;
    private final CommandCounter commands = new CommandCounter();
    private final MongoClient mongo;

    public ReactiveRival(Workbench bench, LockStrategy strategy) {
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
        return Client.REACTIVE;
    }

    @Override
    public Locks open() {
        return bench.configure(ReactiveLockClient.builder(mongo, Workbench.DATABASE), strategy)
                .build()
                .map(ClientLocks::new)
                .blockOptional()
                .orElseThrow(() -> new LockException("No client was built"));
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

    private record ClientLocks(ReactiveLockClient client) implements Locks {
        @Override
        public Optional<Grant> acquire(LockRequest request) {
            return client.acquire(request).<Grant>map(Held::new).blockOptional();
        }

        @Override
        public Parked park(LockRequest request) {
            return client.acquire(request).flatMap(ReactiveHeldLock::release).subscribe()::dispose;
        }

        @Override
        public void close() {
            client.close();
        }
    }

    private record Held(ReactiveHeldLock lock) implements Grant {
        @Override
        public OptionalLong fencingToken() {
            return OptionalLong.of(lock.fencingToken());
        }

        @Override
        public boolean release() {
            return Boolean.TRUE.equals(lock.release().block());
        }
    }
}
