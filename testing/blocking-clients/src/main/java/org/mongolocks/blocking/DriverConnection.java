package org.mongolocks.blocking;

import com.mongodb.WriteConcern;
import java.util.function.Consumer;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.mongolocks.LockClientBuilder;

/** A client of one of the drivers, on which lock clients are built. Thread-safe. */
public sealed interface DriverConnection extends AutoCloseable permits SyncConnection, ReactiveConnection {
    BsonDocument PING = new BsonDocument("ping", new BsonInt32(1));

    /** Builds a lock client with the settings that both builders have. */
    BlockingLocks build(String database, Consumer<LockClientBuilder<?>> setup) throws InterruptedException;

    /** Returns a collection for commands without lock logic, which reads from the primary. */
    DriverCollection collection(String database, String name, WriteConcern concern);

    /** Waits for a reply of the server, as long as the driver does. */
    void ping() throws InterruptedException;

    /** Closes the client of the driver. */
    @Override
    void close();
}
