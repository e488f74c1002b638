package org.mongolocks.benchmarks.driver;

import com.mongodb.MongoClientSettings;
import com.mongodb.ReadConcern;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.util.List;
import org.bson.Document;
import org.bson.conversions.Bson;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.BlockingLocks.BlockingLock;
import org.mongolocks.blocking.SyncConnection;
import org.mongolocks.spi.LockStrategy;

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
    public BlockingLocks locks(LockStrategy strategy, String collection) throws InterruptedException {
        return new SyncConnection(mongo)
                .build(database, builder -> DriverAdapter.configure(builder, strategy, collection));
    }

    @Override
    public Runnable park(BlockingLocks locks, LockRequest request) {
        return BlockingWaiter.start(locks, request);
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

    /** A wait for a lock on a separate thread, like that of a caller of the synchronous client. */
    static final class BlockingWaiter implements Runnable {
        private final BlockingLocks locks;
        private final LockRequest request;

        private BlockingWaiter(BlockingLocks locks, LockRequest request) {
            this.locks = locks;
            this.request = request;
        }

        /** Starts waiting and returns an action that cancels the wait. */
        static Runnable start(BlockingLocks locks, LockRequest request) {
            Thread thread = new Thread(new BlockingWaiter(locks, request), "parked");
            thread.setDaemon(true);
            thread.start();
            return thread::interrupt;
        }

        @Override
        public void run() {
            try {
                locks.acquire(request).ifPresent(BlockingLock::release);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
