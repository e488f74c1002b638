package org.mongolocks.benchmarks.driver;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.reactivestreams.client.MongoClient;
import com.mongodb.reactivestreams.client.MongoClients;
import com.mongodb.reactivestreams.client.MongoCollection;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.mongolocks.LockException;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.DriverAdapter.BenchmarkClient;
import org.mongolocks.benchmarks.driver.DriverAdapter.BenchmarkClient.BenchmarkLock;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.spi.LockStrategy;

/** The reactive-streams driver. */
final class ReactiveDriver implements DriverAdapter {
    private final MongoClient mongo;
    private final String database;

    ReactiveDriver(MongoClientSettings settings, String database) {
        this.mongo = MongoClients.create(settings);
        this.database = database;
    }

    @Override
    public Client client() {
        return Client.REACTIVE;
    }

    @Override
    public BenchmarkClient locks(LockStrategy strategy, String collection) {
        return DriverAdapter.configure(ReactiveLockClient.builder(mongo, database), strategy, collection)
                .build()
                .map(ReactiveLocks::new)
                .blockOptional()
                .orElseThrow(() -> new LockException("No client was built"));
    }

    @Override
    public RawCommands raw(WriteConcern concern, String collection) {
        return new RawCommands(
                new ReactiveCollection(mongo, mongo.getDatabase(database).getCollection(collection), concern));
    }

    @Override
    public RawChangeStream feed(String collection, List<? extends Bson> pipeline) {
        MongoCollection<Document> durable = mongo.getDatabase(database)
                .getCollection(collection)
                .withReadConcern(ReadConcern.MAJORITY)
                .withWriteConcern(Baseline.DURABLE);
        return new ReactiveRawChangeStream(mongo.getDatabase(database), durable, pipeline);
    }

    @Override
    public void close() {
        mongo.close();
    }

    private record ReactiveLocks(ReactiveLockClient locks) implements BenchmarkClient {
        @Override
        public Optional<BenchmarkLock> tryAcquire(LockRequest request) {
            return locks.tryAcquire(request)
                    .<BenchmarkLock>map(ReactiveHeld::new)
                    .blockOptional();
        }

        @Override
        public Optional<BenchmarkLock> acquire(LockRequest request) {
            return locks.acquire(request).<BenchmarkLock>map(ReactiveHeld::new).blockOptional();
        }

        @Override
        public Optional<BenchmarkLock> enter(Object owner, LockRequest request) {
            return locks.reentrant()
                    .acquire(owner, request)
                    .<BenchmarkLock>map(ReactiveHeld::new)
                    .blockOptional();
        }

        @Override
        public Runnable park(LockRequest request) {
            return locks.acquire(request).flatMap(ReactiveHeldLock::release).subscribe()::dispose;
        }

        @Override
        public void close() {
            locks.close();
        }
    }

    private record ReactiveHeld(ReactiveHeldLock lock) implements BenchmarkLock {
        @Override
        public long fencingToken() {
            return lock.fencingToken();
        }

        @Override
        public boolean isHeld() {
            return lock.isHeld();
        }

        @Override
        public void onLost(Runnable action) {
            lock.onLost((lease, reason) -> action.run());
        }

        @Override
        public boolean renew() {
            return Boolean.TRUE.equals(lock.renew().block());
        }

        @Override
        public boolean release() {
            return Boolean.TRUE.equals(lock.release().block());
        }
    }
}
