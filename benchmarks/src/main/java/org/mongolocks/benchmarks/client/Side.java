package org.mongolocks.benchmarks.client;

import com.mongodb.MongoClientSettings;
import com.mongodb.WriteConcern;
import java.time.Duration;
import java.util.List;
import org.bson.conversions.Bson;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.benchmarks.result.Client;
import org.mongolocks.spi.LockStrategy;

/** Is one driver with one pool of connections, which locks and raw commands share. */
public interface Side extends AutoCloseable {
    /** Short, so that the technique rather than the waiting shows. */
    Duration FIRST_POLL = Duration.ofMillis(5);

    Duration LONGEST_POLL = Duration.ofMillis(50);

    /** Connects with a driver to the server of the settings. */
    static Side open(Client client, MongoClientSettings settings, String database) {
        return switch (client) {
            case SYNC -> new SyncSide(settings, database);
            case REACTIVE -> new ReactiveSide(settings, database);
        };
    }

    /** Has a client lock with a strategy in a collection, and wait as all do. */
    static <B extends LockClientBuilder<B>> B configure(B builder, LockStrategy strategy, String collection) {
        return builder.strategy(strategy).collection(collection).polling(FIRST_POLL, LONGEST_POLL);
    }

    Client client();

    /** Makes a client that locks with a strategy in a collection. */
    Locks locks(LockStrategy strategy, String collection) throws InterruptedException;

    /** Sends raw commands to a collection, all writes with this concern. */
    Raw raw(WriteConcern concern, String collection);

    /** Opens a change stream on a collection that is written as durably as locks are. Who opened it closes it. */
    RawFeed feed(String collection, List<? extends Bson> pipeline);

    @Override
    void close();
}
