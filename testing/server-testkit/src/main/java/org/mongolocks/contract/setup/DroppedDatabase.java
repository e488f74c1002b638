package org.mongolocks.contract.setup;

import java.time.Duration;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** A JUnit extension that drops the database of the contract after a test class. */
public final class DroppedDatabase implements AfterAllCallback {
    /** A transaction that a client left open delays the drop until the server aborts it, within this time. */
    private static final Duration UNTIL_TRANSACTIONS_END = Duration.ofMinutes(2);

    /** Instantiated by JUnit, which is in another module. */
    public DroppedDatabase() {}

    @Override
    public void afterAll(ExtensionContext context) {
        if (ServerFinder.found() instanceof EmbeddedContractServer embedded) {
            embedded.skip(UNTIL_TRANSACTIONS_END);
        }
        DriverClients.shared(ServerFinder.found().uri())
                .sync()
                .getDatabase(ContractServer.DATABASE)
                .drop();
    }
}
