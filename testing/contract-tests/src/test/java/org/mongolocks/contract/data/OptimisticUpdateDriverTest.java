package org.mongolocks.contract.data;

import static com.mongodb.client.model.Filters.eq;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import com.mongodb.WriteConcern;
import com.mongodb.client.MongoClient;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.ReplaceOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Supplier;
import org.bson.BSONException;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.bson.Document;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockException;
import org.mongolocks.blocking.ReactiveConnection;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.broken.NoLocks;
import org.mongolocks.contract.setup.BackgroundTask;
import org.mongolocks.contract.setup.DriverClients;
import org.mongolocks.contract.setup.DroppedDatabase;
import org.mongolocks.contract.setup.ProxyRoute;
import org.mongolocks.contract.setup.ServerFinder;
import org.mongolocks.reactive.ReactiveProgramRunner;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;
import org.mongolocks.strategy.optimisticversion.OptimisticUpdate;
import org.mongolocks.strategy.optimisticversion.UpdateOutcome;
import org.mongolocks.sync.ProgramRunner;

/** Tests of the optimistic update on both drivers: no update is lost and none is applied twice. */
@ParameterizedClass(name = "{0}")
@EnumSource(OptimisticUpdateDriverTest.By.class)
@ExtendWith(DroppedDatabase.class)
class OptimisticUpdateDriverTest {
    private static final int WRITERS = 4;
    private static final int UPDATES_OF_EACH = 25;

    @Parameter
    private By by = By.SYNC;

    private final String uri = ServerFinder.found().uri();
    private final MongoCollection<Document> counters = DriverClients.shared(uri)
            .sync()
            .getDatabase(LockContract.DATABASE)
            .getCollection("counters")
            .withWriteConcern(WriteConcern.MAJORITY);
    private final String id = UUID.randomUUID().toString();
    private final OptimisticUpdate increment = OptimisticUpdate.of(
                    "counters",
                    new BsonString(id),
                    counter -> Optional.of(counter.append(
                            "count", new BsonInt32(counter.getInt32("count").getValue() + 1))))
            .withAttempts(1_000)
            .withWaits(Duration.ofMillis(1), Duration.ofMillis(20));

    /** Runs programs on either driver. */
    enum By {
        SYNC {
            @Override
            <R> R run(DriverClients connection, Supplier<Step<R>> program) throws InterruptedException {
                return ProgramRunner.on(connection.sync(), LockContract.DATABASE)
                        .withCommandTimeout(Duration.ofSeconds(2))
                        .run(program);
            }
        },
        REACTIVE {
            @Override
            <R> R run(DriverClients connection, Supplier<Step<R>> program) throws InterruptedException {
                return ReactiveConnection.await(ReactiveProgramRunner.on(connection.reactive(), LockContract.DATABASE)
                                .withCommandTimeout(Duration.ofSeconds(2))
                                .run(program))
                        .orElseThrow();
            }
        };

        abstract <R> R run(DriverClients connection, Supplier<Step<R>> program) throws InterruptedException;
    }

    @Test
    void noUpdateOfManyWritersIsLost() throws Exception {
        counters.insertOne(new Document("_id", id).append("count", 0));

        List<UpdateOutcome> outcomes = incrementByMany(DriverClients.shared(uri));

        assertThat(outcomes).hasSize(WRITERS * UPDATES_OF_EACH).hasOnlyElementsOfType(UpdateOutcome.Updated.class);
        assertThat(stored())
                .containsEntry("count", WRITERS * UPDATES_OF_EACH)
                .containsEntry("version", (long) WRITERS * UPDATES_OF_EACH);
        assertThat(stored().getList("versionMarks", Document.class)).hasSize(OptimisticUpdate.KEPT_MARKS);
    }

    @Test
    @Tag("finds:update-too-large")
    void documentThatBecomesTooLargeIsRefused() {
        counters.insertOne(new Document("_id", id));
        BsonString large = new BsonString("x".repeat(17 << 20));
        OptimisticUpdate grow = OptimisticUpdate.of(
                "counters", new BsonString(id), counter -> Optional.of(counter.append("large", large)));

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> by.run(DriverClients.shared(uri), grow::program))
                .withRootCauseInstanceOf(BSONException.class)
                .matches(e -> !e.isTransient());

        assertThat(stored()).doesNotContainKeys("large", "version");
    }

    @ParameterizedTest(name = "executed={0}")
    @ValueSource(booleans = {true, false})
    void lostReplyIsNoConflictAndIsNotRepeated(boolean executed) throws Exception {
        counters.insertOne(new Document("_id", id).append("count", 0));
        try (Faults faults = new Faults()) {
            faults.lose(executed, 2);

            UpdateOutcome outcome = by.run(faults.connection, increment::program);

            assertThat(outcome).isInstanceOf(UpdateOutcome.Updated.class);
            assertThat(stored()).containsEntry("count", 1).containsEntry("version", 1L);
        }
    }

    @ParameterizedTest(name = "executed={0}")
    @ValueSource(booleans = {true, false})
    void manyWritersWithLostRepliesCountRight(boolean executed) throws Exception {
        counters.insertOne(new Document("_id", id).append("count", 0));
        try (Faults faults = new Faults()) {
            faults.lose(executed, 20);

            List<UpdateOutcome> outcomes = incrementByMany(faults.connection);

            long updated = count(outcomes, UpdateOutcome.Updated.class);
            long unknown = count(outcomes, UpdateOutcome.Indeterminate.class);
            assertThat(updated + unknown).isEqualTo(WRITERS * UPDATES_OF_EACH);
            assertThat(updated).isGreaterThan(WRITERS * UPDATES_OF_EACH / 2);
            assertThat((long) stored().getInteger("count")).isBetween(updated, updated + unknown);
        }
    }

    /** Shows the purpose of the mark: the same program without it. */
    @Test
    void lostReplyReadAsAConflictIsRepeated() throws Exception {
        counters.insertOne(new Document("_id", id).append("count", 0).append("version", 0L));
        try (Faults faults = new Faults()) {
            faults.lose(true, 1);

            by.run(faults.connection, this::careless);

            assertThat(stored()).containsEntry("count", 2);
        }
    }

    @Test
    void concurrentWritesToOtherFieldsAreKept() throws Exception {
        counters.insertOne(new Document("_id", id).append("count", 0));
        OptimisticUpdate disturbed = OptimisticUpdate.of("counters", new BsonString(id), counter -> {
            counters.updateOne(eq("_id", id), new Document("$set", new Document("comment", "by hand")));
            return Optional.of(counter.append("count", new BsonInt32(1)));
        });

        by.run(DriverClients.shared(uri), disturbed::program);

        assertThat(stored()).containsEntry("count", 1).containsEntry("comment", "by hand");
    }

    @Test
    void aMissingDocumentIsMissing() throws Exception {
        assertThat(by.run(DriverClients.shared(uri), increment::program)).isEqualTo(new UpdateOutcome.Missing());
    }

    @Test
    void aRefusalOfTheServerIsAnError() {
        counters.insertOne(new Document("_id", id).append("count", 0));
        OptimisticUpdate refused = OptimisticUpdate.of(
                "counters", new BsonString(id), counter -> Optional.of(new BsonDocument("count", counter)));
        try (Faults faults = new Faults()) {
            faults.locks.refuse(1, 13, List.of("findAndModify"));

            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> by.run(faults.connection, refused::program))
                    .withMessageContaining(LockContract.DATABASE);
        }
        assertThat(stored()).containsEntry("count", 0);
    }

    @Test
    void theExampleOfTheDocumentDeposits() throws InterruptedException {
        DriverClients.shared(uri)
                .sync()
                .getDatabase(LockContract.DATABASE)
                .getCollection("accounts")
                .replaceOne(
                        eq("_id", 7), new Document("_id", 7).append("balance", 100), new ReplaceOptions().upsert(true));

        UpdateOutcome outcome = deposit(DriverClients.shared(uri).sync(), LockContract.DATABASE);

        assertThat(outcome).isInstanceOf(UpdateOutcome.Updated.class);
        assertThat(((UpdateOutcome.Updated) outcome).document()).containsEntry("balance", new BsonInt32(105));
    }

    @Test
    void theDocumentShowsThisExample() throws IOException {
        String source = Files.readString(Path.of(
                "src", "test", "java", "org", "mongolocks", "contract", "data", "OptimisticUpdateDriverTest.java"));
        String example = source.substring(source.indexOf("// begin\n") + 9, source.indexOf("        // end\n"));

        assertThat(Files.readString(Path.of("..", "..", "docs", "data-safety.md"))
                        .replaceAll("\\s", ""))
                .contains(example.replaceAll("\\s", ""));
    }

    private static UpdateOutcome deposit(MongoClient mongo, String database) throws InterruptedException {
        // begin
        OptimisticUpdate deposit = OptimisticUpdate.of("accounts", new BsonInt32(7), account -> {
            int balance = account.getInt32("balance").getValue();
            return Optional.of(account.append("balance", new BsonInt32(balance + 5)));
        });
        UpdateOutcome outcome = ProgramRunner.on(mongo, database).run(deposit::program);
        // end
        return outcome;
    }

    @Test
    void aTimeLimitOutOfBoundsIsRefused() {
        DriverClients connection = DriverClients.shared(uri);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ProgramRunner.on(connection.sync(), "any").withCommandTimeout(Duration.ZERO));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        ReactiveProgramRunner.on(connection.reactive(), "any").withCommandTimeout(Duration.ofHours(1)));
    }

    private Step<Boolean> careless() {
        BsonDocument byId = new BsonDocument("_id", new BsonString(id));
        return Step.call(new MongoOp.FindOne("careless/look", "counters", byId, Optional.empty()), read -> {
            BsonDocument counter = ((Reply.Found) read).document().orElseThrow();
            BsonDocument next = BsonDocument.parse("{$inc: {count: 1, version: 1}}");
            BsonDocument unchanged = byId.clone().append("version", counter.getInt64("version"));
            MongoOp write = new MongoOp.FindOneAndUpdate(
                    "careless/write", "counters", unchanged, UpdateSpec.operators(next), false);
            return Step.call(write, reply -> reply instanceof Reply.Found ? Step.done(true) : careless());
        });
    }

    private List<UpdateOutcome> incrementByMany(DriverClients connection) throws Exception {
        List<BackgroundTask<List<UpdateOutcome>>> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            writers.add(BackgroundTask.run(() -> incrementOften(connection)));
        }
        List<UpdateOutcome> outcomes = new ArrayList<>();
        for (BackgroundTask<List<UpdateOutcome>> writer : writers) {
            outcomes.addAll(writer.result());
        }
        return outcomes;
    }

    private List<UpdateOutcome> incrementOften(DriverClients connection) throws InterruptedException {
        List<UpdateOutcome> outcomes = new ArrayList<>();
        for (int update = 0; update < UPDATES_OF_EACH; update++) {
            outcomes.add(by.run(connection, increment::program));
        }
        return outcomes;
    }

    private static long count(List<UpdateOutcome> outcomes, Class<? extends UpdateOutcome> kind) {
        return outcomes.stream().filter(kind::isInstance).count();
    }

    private Document stored() {
        Document found = counters.find(eq("_id", id)).first();
        assertThat(found).isNotNull();
        return found;
    }

    /** Drops replies to a driver that does not retry. */
    private final class Faults implements AutoCloseable {
        private final ProxyRoute detour = ProxyRoute.to(uri, false);
        private final DriverClients connection = detour.connection();
        private final FaultyLocks locks = new FaultyLocks(new NoLocks(), detour);

        void lose(boolean executed, int times) {
            List<String> write = List.of("findAndModify");
            if (executed) {
                locks.failWriteConcern(times, write);
            } else {
                locks.closeConnection(times, write);
            }
        }

        @Override
        public void close() {
            locks.close();
        }
    }
}
