package org.mongolocks.sync;

import org.mongolocks.contract.setup.ContractServer;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Builds clients as a user does, on the database of the contract. */
final class PlainClient {
    private PlainClient() {}

    static LockClient on(DriverClients connection) {
        try {
            return LockClient.builder(connection.sync(), ContractServer.DATABASE)
                    .strategy(new FindAndModifyCounterStrategy())
                    .build();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
