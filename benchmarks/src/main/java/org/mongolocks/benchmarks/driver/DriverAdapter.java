package org.mongolocks.benchmarks.driver;

import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.bson.conversions.Bson;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockRequest;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.spi.LockStrategy;

/** A driver with one connection pool, shared by its lock clients and raw commands. */
public interface DriverAdapter extends AutoCloseable {
    /** Short, so that the cost of the strategy and not the polling interval dominates. */
    Duration FIRST_POLL = Duration.ofMillis(5);

    Duration MAX_POLL = Duration.ofMillis(50);

    /** Opens a client of the driver on the server of the settings. */
    static DriverAdapter open(Client client, MongoClientSettings settings, String database) {
        return switch (client) {
            case SYNC -> new SyncDriver(settings, database);
            case REACTIVE -> new ReactiveDriver(settings, database);
        };
    }

    /** Configures a lock client with a strategy, a collection, and the polling interval common to all benchmarks. */
    static <B extends LockClientBuilder<B>> B configure(B builder, LockStrategy strategy, String collection) {
        return builder.strategy(strategy).collection(collection).polling(FIRST_POLL, MAX_POLL);
    }

    Client client();

    /** Creates a lock client with a strategy on a collection. */
    BenchmarkClient locks(LockStrategy strategy, String collection) throws InterruptedException;

    /** Returns raw commands on a collection, with this concern for all writes. */
    RawCommands raw(WriteConcern concern, String collection);

    /** Opens a change stream on a collection that is written with the durability of a lock. The caller closes it. */
    RawChangeStream feed(String collection, List<? extends Bson> pipeline);

    @Override
    void close();

    /** A lock client of either driver. Blocks the calling thread until the server replies. */
    public interface BenchmarkClient extends AutoCloseable {
        /** Makes one attempt and ignores the wait time of the request. */
        Optional<BenchmarkLock> tryAcquire(LockRequest request) throws InterruptedException;

        /** Acquires the lock and waits up to the wait time of the request. */
        Optional<BenchmarkLock> acquire(LockRequest request) throws InterruptedException;

        /** Acquires reentrantly: the owner may hold the lock already. */
        Optional<BenchmarkLock> enter(Object owner, LockRequest request) throws InterruptedException;

        /**
         * Starts waiting in the background, on a separate thread if the client blocks its callers, and returns an
         * action that cancels the wait.
         */
        Runnable park(LockRequest request);

        @Override
        void close();

        /** A lock held through either client. Blocks the calling thread until the server replies. */
        public interface BenchmarkLock {
            long fencingToken();

            /** Returns whether the lock is held, as far as the client knows. No round trip. */
            boolean isHeld();

            /** Runs an action when the client knows that the lock is lost, on a thread of the client. */
            void onLost(Runnable action);

            /** Renews the lease. Returns false if the lock was lost. */
            boolean renew() throws InterruptedException;

            /** Releases the lock. Returns false if it had been lost. */
            boolean release();
        }
    }
}
