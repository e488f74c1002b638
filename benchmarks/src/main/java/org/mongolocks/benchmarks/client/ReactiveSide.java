package org.mongolocks.benchmarks.client;

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
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.reactive.ReactiveHeldLock;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.spi.LockStrategy;

/** The reactive-streams driver. */
final class ReactiveSide implements Side {
    private final MongoClient mongo;
    private final String database;

    ReactiveSide(MongoClientSettings settings, String database) {
        this.mongo = MongoClients.create(settings);
        this.database = database;
    }

    @Override
    public Client client() {
        return Client.REACTIVE;
    }

    @Override
    public Locks locks(LockStrategy strategy, String collection) {
        return Side.configure(ReactiveLockClient.builder(mongo, database), strategy, collection)
                .build()
                .map(ReactiveLocks::new)
                .blockOptional()
                .orElseThrow(() -> new LockException("No client was built"));
    }

    @Override
    public Raw raw(WriteConcern concern, String collection) {
        return new ReactiveRaw(mongo, mongo.getDatabase(database).getCollection(collection), concern);
    }

    @Override
    public RawFeed feed(String collection, List<? extends Bson> pipeline) {
        MongoCollection<Document> durable = mongo.getDatabase(database)
                .getCollection(collection)
                .withReadConcern(ReadConcern.MAJORITY)
                .withWriteConcern(RawFloor.DURABLE);
        return new ReactiveFeed(mongo.getDatabase(database), durable, pipeline);
    }

    @Override
    public void close() {
        mongo.close();
    }

    private record ReactiveLocks(ReactiveLockClient locks) implements Locks {
        @Override
        public Optional<Held> tryAcquire(LockRequest request) {
            return locks.tryAcquire(request).<Held>map(ReactiveHeld::new).blockOptional();
        }

        @Override
        public Optional<Held> acquire(LockRequest request) {
            return locks.acquire(request).<Held>map(ReactiveHeld::new).blockOptional();
        }

        @Override
        public Optional<Held> enter(Object owner, LockRequest request) {
            return locks.reentrant()
                    .acquire(owner, request)
                    .<Held>map(ReactiveHeld::new)
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

    private record ReactiveHeld(ReactiveHeldLock lock) implements Held {
        @Override
        public long fencingToken() {
            return lock.fencingToken();
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
