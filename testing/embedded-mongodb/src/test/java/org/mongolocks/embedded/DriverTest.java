package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.FindOneAndUpdateOptions;
import com.mongodb.client.model.IndexOptions;
import com.mongodb.client.model.Indexes;
import com.mongodb.client.model.ReturnDocument;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
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
    void retryableWriteWithALostReplyIsExecutedOnce() {
        failOnce("update", "closeConnection: true");
        locks.updateOne(Filters.eq("a"), Updates.inc("n", 1), new UpdateOptions().upsert(true));
        Document after = locks.findOneAndUpdate(
                Filters.eq("a"),
                Updates.inc("n", 1),
                new FindOneAndUpdateOptions().returnDocument(ReturnDocument.AFTER));

        assertThat(after).isEqualTo(Document.parse("{_id: 'a', n: 2}"));
        assertThat(locks.find()).containsExactly(Document.parse("{_id: 'a', n: 2}"));
    }

    @Test
    void transactionsThatConflictAreRepeatedByTheDriver() {
        locks.insertOne(Document.parse("{_id: 'a', n: 0}"));

        List<CompletableFuture<Void>> clients = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            clients.add(CompletableFuture.runAsync(this::incrementInTransactions));
        }
        clients.forEach(CompletableFuture::join);

        assertThat(locks.find()).containsExactly(Document.parse("{_id: 'a', n: 20}"));
    }

    private void incrementInTransactions() {
        try (ClientSession session = client.startSession()) {
            for (int i = 0; i < 5; i++) {
                session.withTransaction(() -> {
                    Document found = Objects.requireNonNull(locks.find(session).first());
                    return locks.updateOne(session, Filters.eq("a"), Updates.set("n", found.getInteger("n") + 1));
                });
            }
        }
    }

    @Test
    void aChangeStreamGoesOnAfterItsConnectionIsLost() {
        try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream =
                locks.watch().cursor()) {
            locks.insertOne(new Document("_id", 1));
            assertThat(key(stream)).isEqualTo(1);

            locks.insertOne(new Document("_id", 2));
            failOnce("getMore", "closeConnection: true");
            locks.insertOne(new Document("_id", 3));

            assertThat(List.of(key(stream), key(stream))).containsExactly(2, 3);
        }
    }

    private static int key(MongoChangeStreamCursor<ChangeStreamDocument<Document>> stream) {
        return Objects.requireNonNull(stream.next().getDocumentKey())
                .getInt32("_id")
                .getValue();
    }

    @Test
    void documentsExpireWhenTheClockIsMoved() {
        locks.createIndex(Indexes.ascending("e"), new IndexOptions().expireAfter(0L, TimeUnit.SECONDS));
        locks.insertOne(new Document("_id", 1).append("e", Date.from(clock.instant())));
        assertThat(locks.countDocuments()).isEqualTo(1);

        clock.advance(Duration.ofSeconds(61));

        assertThat(locks.countDocuments()).isZero();
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
