package org.mongolocks.contract.adapter;

import java.util.function.Consumer;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.blocking.BlockingLocks;
import org.mongolocks.blocking.DriverConnection;
import org.mongolocks.blocking.ReactiveConnection;
import org.mongolocks.blocking.SyncConnection;
import org.mongolocks.server.DriverClients;

/** The MongoDB driver of a run of the contract. */
public enum Driver {
    /** {@code mongodb-driver-sync}. */
    SYNC {
        @Override
        DriverConnection of(DriverClients connection) {
            return new SyncConnection(connection.sync());
        }
    },
    /** {@code mongodb-driver-reactivestreams}. */
    REACTIVE {
        @Override
        DriverConnection of(DriverClients connection) {
            return new ReactiveConnection(connection.reactive());
        }
    };

    abstract DriverConnection of(DriverClients connection);

    public BlockingLocks build(DriverClients connection, String database, Setup setup) throws InterruptedException {
        return of(connection).build(database, setup);
    }

    /**
     * Connects to the server without a time limit, because a client that is built afterwards may have a short command
     * timeout.
     */
    public void connect(DriverClients connection) throws InterruptedException {
        of(connection).ping();
    }

    /** The settings that clients of both drivers have in common. */
    @FunctionalInterface
    public interface Setup extends Consumer<LockClientBuilder<?>> {}
}
