package org.mongolocks.reactive;

import java.time.Duration;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.strategy.findandmodifycounter.FindAndModifyCounterStrategy;

/** Builds clients as a user does, on the database of the contract. */
final class PlainClient {
    private static final Duration SOON = Duration.ofSeconds(20);

    private PlainClient() {}

    static ReactiveLockClient on(DriverClients connection) {
        return ReactiveLockClient.builder(connection.reactive(), ContractServer.DATABASE)
                .drainTimeout(Duration.ZERO)
                .strategy(new FindAndModifyCounterStrategy())
                .build()
                .blockOptional(SOON)
                .orElseThrow();
    }
}
