package org.mongolocks.contract;

import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;
import org.mongolocks.sync.LockClient;

/** Builds clients as a user does, on the database of the contract. */
final class PlainClient {
    private PlainClient() {}

    static LockClient on(DriverClients connection) {
        try {
            return LockClient.builder(connection.sync(), LockContract.DATABASE)
                    .strategy(new FindAndModifyCounterStrategy())
                    .build();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
