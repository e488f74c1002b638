package org.mongolocks.sync;

import java.time.Duration;
import org.mongolocks.LockClientBuilder;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Builds clients as a user does, on the database of the contract. */
final class PlainClient {
    private PlainClient() {}

    static LockClient on(DriverClients connection) {
        return builder(connection).build();
    }

    /** Returns a builder of a client that closes at once. */
    static LockClientBuilder<LockClient> builder(DriverClients connection) {
        return LockClient.builder(connection.sync(), ContractServer.DATABASE)
                .strategy(new FindAndModifyCounterStrategy())
                .drainTimeout(Duration.ZERO);
    }
}
