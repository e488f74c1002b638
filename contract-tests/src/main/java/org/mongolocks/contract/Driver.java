package org.mongolocks.contract;

import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.sync.LockClient;
import reactor.core.publisher.Mono;

/** Is the MongoDB driver that a run of the contract goes by. */
public enum Driver {
    /** {@code mongodb-driver-sync}. */
    SYNC {
        @Override
        BlockingLocks build(Connection connection, String database, Setup setup) throws InterruptedException {
            LockClient.Builder builder = LockClient.builder(connection.sync(), database);
            setup.accept(builder);
            return new SyncLocks(builder.build(), connection.sync().getDatabase(database));
        }

        @Override
        void connect(Connection connection) {
            connection.sync().getDatabase("admin").runCommand(PING);
        }
    },
    /** {@code mongodb-driver-reactivestreams}. */
    REACTIVE {
        @Override
        BlockingLocks build(Connection connection, String database, Setup setup) throws InterruptedException {
            ReactiveLockClient.Builder builder = ReactiveLockClient.builder(connection.reactive(), database);
            setup.accept(builder);
            return new ReactiveLocks(
                    ReactiveLocks.await(builder.build()).orElseThrow(),
                    connection.reactive().getDatabase(database));
        }

        @Override
        void connect(Connection connection) throws InterruptedException {
            ReactiveLocks.await(
                    Mono.from(connection.reactive().getDatabase("admin").runCommand(PING)));
        }
    };

    private static final BsonDocument PING = new BsonDocument("ping", new BsonInt32(1));

    abstract BlockingLocks build(Connection connection, String database, Setup setup) throws InterruptedException;

    /** Connects to the server, in all the time that it takes: those who build a client then may be in a hurry. */
    abstract void connect(Connection connection) throws InterruptedException;

    /** Sets what the clients of both drivers have in common. */
    @FunctionalInterface
    interface Setup {
        void accept(LockClientBuilder<?> builder);
    }
}
