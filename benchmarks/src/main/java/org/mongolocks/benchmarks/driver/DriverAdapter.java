package org.mongolocks.benchmarks.driver;

import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import java.time.Duration;
import java.util.List;
import org.bson.conversions.Bson;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.blocking.BlockingLocks;
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
    static void configure(LockClientBuilder<?> builder, LockStrategy strategy, String collection) {
        builder.strategy(strategy).collection(collection).polling(FIRST_POLL, MAX_POLL);
    }

    Client client();

    /** Creates a lock client with a strategy on a collection. */
    BlockingLocks locks(LockStrategy strategy, String collection) throws InterruptedException;

    /** Returns raw commands on a collection, with this concern for all writes. */
    RawCommands raw(WriteConcern concern, String collection);

    /** Opens a change stream on a collection that is written with the durability of a lock. The caller closes it. */
    RawChangeStream feed(String collection, List<? extends Bson> pipeline);

    @Override
    void close();
}
