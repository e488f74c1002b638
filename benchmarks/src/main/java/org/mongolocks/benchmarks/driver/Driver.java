package org.mongolocks.benchmarks.driver;

import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClients;
import java.time.Duration;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.DriverCollection;
import org.mongolocks.blocking.DriverConnection;
import org.mongolocks.blocking.ReactiveConnection;
import org.mongolocks.blocking.SyncConnection;
import org.mongolocks.spi.LockStrategy;

/**
 * A driver with one connection pool, shared by its lock clients and raw commands.
 *
 * @param database the database of the run
 */
public record Driver(Client client, DriverConnection connection, String database) implements AutoCloseable {
    public static final Duration MAX_POLL = Duration.ofMillis(50);
    /** The write concern of a lock. */
    private static final WriteConcern DURABLE = WriteConcern.MAJORITY.withJournal(true);
    /** Short, so that the cost of the strategy and not the polling interval dominates. */
    private static final Duration FIRST_POLL = Duration.ofMillis(5);

    /** Opens a client of the driver on the server of the settings. */
    public static Driver open(Client client, MongoClientSettings settings, String database) {
        return new Driver(
                client,
                switch (client) {
                    case SYNC -> new SyncConnection(MongoClients.create(settings));
                    case REACTIVE ->
                        new ReactiveConnection(com.mongodb.reactivestreams.client.MongoClients.create(settings));
                },
                database);
    }

    /** Creates a lock client with a strategy on a collection, and the polling interval common to all benchmarks. */
    public BlockingLocks locks(LockStrategy strategy, String collection) throws InterruptedException {
        return connection.build(
                database,
                builder -> builder.strategy(strategy).collection(collection).polling(FIRST_POLL, MAX_POLL));
    }

    /** Returns raw commands on a collection, with the durability of a lock. */
    public RawCommands raw(String collection) {
        return new RawCommands(collection(collection));
    }

    /** Returns a collection that is written with the durability of a lock. */
    public DriverCollection collection(String name) {
        return connection.collection(database, name, DURABLE);
    }

    @Override
    public void close() {
        connection.close();
    }
}
