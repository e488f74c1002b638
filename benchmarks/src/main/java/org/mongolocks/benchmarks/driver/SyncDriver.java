package org.mongolocks.benchmarks.driver;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.util.List;
import java.util.Optional;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.driver.DriverAdapter.BenchmarkClient;
import org.mongolocks.benchmarks.driver.DriverAdapter.BenchmarkClient.BenchmarkLock;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.sync.HeldLock;
import org.mongolocks.sync.LockClient;

/** The synchronous driver. */
final class SyncDriver implements DriverAdapter {
    private final MongoClient mongo;
    private final String database;

    SyncDriver(MongoClientSettings settings, String database) {
        this.mongo = MongoClients.create(settings);
        this.database = database;
    }

    @Override
    public Client client() {
        return Client.SYNC;
    }

    @Override
    public BenchmarkClient locks(LockStrategy strategy, String collection) throws InterruptedException {
        return new SyncLocks(DriverAdapter.configure(LockClient.builder(mongo, database), strategy, collection)
                .build());
    }

    @Override
    public RawCommands raw(WriteConcern concern, String collection) {
        return new RawCommands(
                new SyncCollection(mongo, mongo.getDatabase(database).getCollection(collection), concern));
    }

    @Override
    public RawChangeStream feed(String collection, List<? extends Bson> pipeline) {
        MongoCollection<Document> durable = mongo.getDatabase(database)
                .getCollection(collection)
                .withReadConcern(ReadConcern.MAJORITY)
                .withWriteConcern(Baseline.DURABLE);
        return new SyncRawChangeStream(durable, pipeline);
    }

    @Override
    public void close() {
        mongo.close();
    }

    private record SyncLocks(LockClient locks) implements BenchmarkClient {
        @Override
        public Optional<BenchmarkLock> tryAcquire(LockRequest request) throws InterruptedException {
            return locks.tryAcquire(request).map(SyncHeld::new);
        }

        @Override
        public Optional<BenchmarkLock> acquire(LockRequest request) throws InterruptedException {
            return locks.acquire(request).map(SyncHeld::new);
        }

        @Override
        public Optional<BenchmarkLock> enter(Object owner, LockRequest request) throws InterruptedException {
            return locks.reentrant().acquire(owner, request).map(SyncHeld::new);
        }

        @Override
        public Runnable park(LockRequest request) {
            return BlockingWaiter.start(locks, request);
        }

        @Override
        public void close() {
            locks.close();
        }
    }

    private record SyncHeld(HeldLock lock) implements BenchmarkLock {
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
        public boolean renew() throws InterruptedException {
            return lock.renew();
        }

        @Override
        public boolean release() {
            return lock.release();
        }
    }

    /** A wait for a lock on a separate thread, like that of a caller of the synchronous client. */
    static final class BlockingWaiter implements Runnable {
        private final LockClient locks;
        private final LockRequest request;

        private BlockingWaiter(LockClient locks, LockRequest request) {
            this.locks = locks;
            this.request = request;
        }

        /** Starts waiting and returns an action that cancels the wait. */
        static Runnable start(LockClient locks, LockRequest request) {
            Thread thread = new Thread(new BlockingWaiter(locks, request), "parked");
            thread.setDaemon(true);
            thread.start();
            return thread::interrupt;
        }

        @Override
        public void run() {
            try {
                locks.acquire(request).ifPresent(HeldLock::release);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
