package org.mongolocks.study.process.child;

import com.mongodb.MongoClientSettings;
import java.util.Optional;
import java.util.function.Consumer;
import org.mongolocks.Lease;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.LockLostListener;
import org.mongolocks.LockRequest;
import org.mongolocks.study.process.message.ChildConfig.Driver;

/** A connection to the server on one of the drivers, on which clients of the library are built. Thread-safe. */
sealed interface ChildConnection extends AutoCloseable permits SyncConnection, ReactiveConnection {
    /** Connects with a driver. */
    static ChildConnection open(Driver driver, MongoClientSettings settings) {
        return switch (driver) {
            case SYNC -> new SyncConnection(com.mongodb.client.MongoClients.create(settings));
            case REACTIVE -> new ReactiveConnection(com.mongodb.reactivestreams.client.MongoClients.create(settings));
        };
    }

    /** Waits for a reply of the server. */
    void ping() throws InterruptedException;

    /** Builds a client of the library. */
    Locks build(String database, Consumer<LockClientBuilder<?>> setup) throws InterruptedException;

    @Override
    void close();

    /** A client of the library, with calls that block. */
    interface Locks extends AutoCloseable {
        Optional<Lock> acquire(LockRequest request) throws InterruptedException;

        @Override
        void close();
    }

    /** A held lock, with calls that block. */
    interface Lock {
        Lease lease();

        boolean isHeld();

        void onLost(LockLostListener listener);

        boolean release();
    }
}
