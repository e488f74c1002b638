package org.mongolocks.contract;

import org.mongolocks.LockClientBuilder;
import org.mongolocks.reactive.ReactiveLockClient;
import org.mongolocks.sync.LockClient;

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
    };

    abstract BlockingLocks build(Connection connection, String database, Setup setup) throws InterruptedException;

    /** Sets what the clients of both drivers have in common. */
    @FunctionalInterface
    interface Setup {
        void accept(LockClientBuilder<?> builder);
    }
}
