package org.mongolocks.server;

import com.mongodb.client.MongoDatabase;
import com.mongodb.client.model.ReplaceOptions;
import java.time.Duration;
import org.bson.Document;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * A JUnit extension that creates the database of the contract before a test class, measures the pace of the server before
 * each test, and drops the database afterwards.
 */
public final class DroppedDatabase implements BeforeAllCallback, BeforeEachCallback, AfterAllCallback {
    /** A transaction that a client left open delays the drop until the server aborts it, within this time. */
    private static final Duration UNTIL_TRANSACTIONS_END = Duration.ofMinutes(2);

    /** Instantiated by JUnit, which is in another module. */
    public DroppedDatabase() {}

    /** Routers take seconds to create a database, and the commands of a test have less time, or are counted. */
    @Override
    public void beforeAll(ExtensionContext context) {
        database()
                .getCollection("created")
                .replaceOne(new Document("_id", 1), new Document(), new ReplaceOptions().upsert(true));
        ServerPace.measure(database());
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        ServerPace.measure(database());
    }

    @Override
    public void afterAll(ExtensionContext context) {
        drop();
    }

    /** Drops the database as soon as all open transactions have ended. */
    public static void drop() {
        if (ServerFinder.found() instanceof EmbeddedContractServer embedded) {
            embedded.skip(UNTIL_TRANSACTIONS_END);
        }
        database().drop();
    }

    private static MongoDatabase database() {
        return DriverClients.shared(ServerFinder.found().uri()).sync().getDatabase(ContractServer.DATABASE);
    }
}
