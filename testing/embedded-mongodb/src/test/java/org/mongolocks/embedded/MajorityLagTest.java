package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.mongodb.TransactionOptions;
import com.mongodb.WriteConcern;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoChangeStreamCursor;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoClients;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.Filters;
import com.mongodb.client.model.Updates;
import com.mongodb.client.model.changestream.ChangeStreamDocument;
import java.time.Duration;
import org.bson.Document;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that only commands with majority acknowledgement are delayed. */
@Timeout(30)
class MajorityLagTest {
    /** Longer than the driver needs for anything here, and than the test may take. */
    private static final Duration FOR_EVER = Duration.ofMinutes(1);

    private static final Duration LAG = Duration.ofMillis(50);
    private static final TransactionOptions DURABLY =
            TransactionOptions.builder().writeConcern(WriteConcern.MAJORITY).build();

    @Test
    void majorityWriteIsDelayedByTheLag() {
        with(LAG, (client, locks) -> {
            MongoCollection<Document> durable = locks.withWriteConcern(WriteConcern.MAJORITY);

            assertThat(timeOf(() -> durable.insertOne(new Document("_id", "a"))))
                    .isGreaterThanOrEqualTo(LAG);
            assertThat(timeOf(() -> commit(client, durable))).isGreaterThanOrEqualTo(LAG);
        });
    }

    @Test
    void majorityWriteWithoutAChangeWaitsForTheNewestChange() {
        with(LAG, (client, locks) -> {
            long before = System.nanoTime();
            locks.insertOne(new Document("_id", "a"));
            locks.withWriteConcern(WriteConcern.MAJORITY).findOneAndUpdate(Filters.eq("b"), Updates.set("owner", "me"));

            assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(LAG);
        });
    }

    @Test
    void changeStreamDeliversOnlyMajorityCommittedChanges() {
        with(LAG, (client, locks) -> {
            try (MongoChangeStreamCursor<ChangeStreamDocument<Document>> events =
                    locks.watch().cursor()) {
                long before = System.nanoTime();
                locks.insertOne(new Document("_id", "a"));
                events.next();

                assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(LAG);
            }
        });
    }

    @Test
    void writeWithoutMajorityIsNotDelayed() {
        with(FOR_EVER, (client, locks) -> {
            locks.insertOne(new Document("_id", "a"));
            try (ClientSession session = client.startSession()) {
                session.startTransaction(DURABLY);
                locks.updateOne(session, Filters.eq("a"), Updates.inc("n", 1));
                session.abortTransaction();
            }

            assertThat(locks.find().first()).isEqualTo(new Document("_id", "a"));
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, 60_001})
    void aLagThatIsNoneOrTooLongIsRefused(long millis) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> EmbeddedMongo.builder().majorityLag(Duration.ofMillis(millis)))
                .withMessageContaining("majorityLag must be between PT0S and PT1M");
    }

    @Test
    void majorityLagIsRefusedForAStandalone() {
        EmbeddedMongo.Builder lagging = EmbeddedMongo.builder().majorityLag(LAG);

        assertThatIllegalStateException()
                .isThrownBy(lagging.standalone()::start)
                .withMessageContaining("standalone");
    }

    @FunctionalInterface
    private interface Scene {
        void play(MongoClient client, MongoCollection<Document> locks);
    }

    /** A write without a write concern is not delayed. */
    private static void with(Duration lag, Scene scene) {
        try (EmbeddedMongo server = EmbeddedMongo.builder().majorityLag(lag).start();
                MongoClient client = MongoClients.create(server.connectionString())) {
            scene.play(client, client.getDatabase("test").getCollection("locks").withWriteConcern(WriteConcern.W1));
        }
    }

    private static void commit(MongoClient client, MongoCollection<Document> durable) {
        try (ClientSession session = client.startSession()) {
            session.startTransaction(DURABLY);
            durable.updateOne(session, Filters.eq("a"), Updates.inc("n", 1));
            session.commitTransaction();
        }
    }

    private static Duration timeOf(Runnable action) {
        long before = System.nanoTime();
        action.run();
        return Duration.ofNanos(System.nanoTime() - before);
    }
}
