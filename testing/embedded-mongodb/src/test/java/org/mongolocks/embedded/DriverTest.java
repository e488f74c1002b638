package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.bson.Document;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.mongolocks.embedded.support.TestEngine;

/** Tests through MongoDB's driver. */
@Timeout(30)
class DriverTest {
    private final MovableClock clock = MovableClock.startingAt(TestEngine.START);
    private final EmbeddedMongo server = EmbeddedMongo.builder().clock(clock).start();
    private final MongoClient client = MongoClients.create(server.connectionString());
    private final MongoCollection<Document> locks = client.getDatabase("test").getCollection("locks");

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    @Test
    void blockedCommandBlocksNoOther() {
        failOnce("insert", "blockConnection: true, blockTimeMS: 60000");
        CompletableFuture<Void> blocked = CompletableFuture.runAsync(() -> locks.insertOne(new Document("_id", 1)));
        for (int i = 0; i < 50; i++) {
            assertThat(locks.countDocuments()).isZero();
        }
        assertThat(blocked).isNotDone();

        advanceUntilDone(blocked);

        assertThat(locks.countDocuments()).isEqualTo(1);
    }

    @Test
    void writeWaitsForATransactionAndBlocksNoOther() {
        try (ClientSession session = client.startSession()) {
            session.startTransaction();
            locks.insertOne(session, new Document("_id", 1));
            CompletableFuture<Void> waiting = CompletableFuture.runAsync(() -> locks.insertOne(new Document("_id", 1)));
            for (int i = 0; i < 50; i++) {
                assertThat(locks.countDocuments()).isZero();
            }
            assertThat(waiting).isNotDone();

            session.abortTransaction();

            waiting.join();
        }
        assertThat(locks.countDocuments()).isEqualTo(1);
    }

    // The command may not have arrived when the clock is moved for the first time.
    private void advanceUntilDone(CompletableFuture<Void> command) {
        while (!command.isDone()) {
            clock.advance(Duration.ofSeconds(60));
            locks.countDocuments();
        }
        command.join();
    }

    private void failOnce(String command, String how) {
        client.getDatabase("admin")
                .runCommand(Document.parse("{configureFailPoint: 'failCommand', mode: {times: 1},"
                        + " data: {failCommands: ['" + command + "'], " + how + "}}"));
    }
}
