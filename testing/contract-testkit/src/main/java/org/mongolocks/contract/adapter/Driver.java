package org.mongolocks.contract.adapter;

import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.sync.LockClient;
import reactor.core.publisher.Mono;

/** The MongoDB driver of a run of the contract. */
public enum Driver {
    /** {@code mongodb-driver-sync}. */
    SYNC {
        @Override
        public BlockingLocks build(DriverClients connection, String database, Setup setup) throws InterruptedException {
            LockClient.Builder builder = LockClient.builder(connection.sync(), database);
            setup.accept(builder);
            return new SyncLocks(builder.build(), connection.sync().getDatabase(database));
        }

        @Override
        public void connect(DriverClients connection) {
            connection.sync().getDatabase("admin").runCommand(PING);
        }
    },
    /** {@code mongodb-driver-reactivestreams}. */
    REACTIVE {
        @Override
        public BlockingLocks build(DriverClients connection, String database, Setup setup) throws InterruptedException {
            ReactiveLockClient.Builder builder = ReactiveLockClient.builder(connection.reactive(), database);
            setup.accept(builder);
            return new ReactiveLocks(
                    ReactiveLocks.await(builder.build()).orElseThrow(),
                    connection.reactive().getDatabase(database));
        }

        @Override
        public void connect(DriverClients connection) throws InterruptedException {
            ReactiveLocks.await(
                    Mono.from(connection.reactive().getDatabase("admin").runCommand(PING)));
        }
    };

    private static final BsonDocument PING = new BsonDocument("ping", new BsonInt32(1));

    public abstract BlockingLocks build(DriverClients connection, String database, Setup setup)
            throws InterruptedException;

    /**
     * Connects to the server without a time limit, because a client that is built afterwards may have a short command
     * timeout.
     */
    public abstract void connect(DriverClients connection) throws InterruptedException;

    /** The settings that clients of both drivers have in common. */
    @FunctionalInterface
    public interface Setup {
        void accept(LockClientBuilder<?> builder);
    }
}
