package org.mongolocks.contract.data;

import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.bson.codecs.configuration.CodecRegistries.fromProviders;
import static org.bson.codecs.configuration.CodecRegistries.fromRegistries;

import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.WriteConcern;
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
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.bson.BSONException;
import org.bson.BsonString;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.codecs.pojo.annotations.BsonId;
import org.bson.types.ObjectId;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.ClientClosedException;
import org.mongolocks.IndeterminateOutcomeException;
import org.mongolocks.LockException;
import org.mongolocks.LockInterruptedException;
import org.mongolocks.blocking.ReactiveConnection;
import org.mongolocks.contract.LockContract;
import org.mongolocks.contract.adapter.FaultyLocks;
import org.mongolocks.contract.broken.NoLocks;
import org.mongolocks.reactive.ReactiveOptimisticCollection;
import org.mongolocks.server.BackgroundTask;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;
import org.mongolocks.sync.OptimisticCollection;
import reactor.core.publisher.Mono;

/** Tests of optimistic updates on both drivers: no update is lost and none is made twice. */
@ParameterizedClass(name = "{0}")
@EnumSource(OptimisticCollectionTest.By.class)
@ExtendWith(DroppedDatabase.class)
class OptimisticCollectionTest {
    private static final int WRITERS = 4;
    private static final int UPDATES_OF_EACH = 25;
    private static final int KEPT_MARKS = 8;
    private static final int ATTEMPTS = 1_000;
    private static final Duration FIRST = Duration.ofMillis(1);
    private static final Duration CAP = Duration.ofMillis(20);

    @Parameter
    private By by = By.SYNC;

    private final String uri = ServerFinder.found().uri();
    private final MongoCollection<Document> counters = DriverClients.shared(uri)
            .sync()
            .getDatabase(LockContract.DATABASE)
            .getCollection("counters")
            .withWriteConcern(WriteConcern.MAJORITY);
    private final String id = UUID.randomUUID().toString();

    /** The updates of a collection, with a blocking method. */
    @FunctionalInterface
    interface Updates<T> {
        Optional<T> update(Object id, UnaryOperator<T> change) throws InterruptedException;
    }

    /** Updates documents on either driver. */
    enum By {
        SYNC {
            @Override
            <T> Updates<T> open(DriverClients connection, Class<T> type, CodecRegistry codecs, int attempts) {
                return OptimisticCollection.of(connection
                                .sync()
                                .getDatabase(LockContract.DATABASE)
                                .getCollection("counters", type)
                                .withCodecRegistry(codecs))
                        .withAttempts(attempts)
                        .withWaits(FIRST, CAP)::update;
            }
        },
        REACTIVE {
            @Override
            <T> Updates<T> open(DriverClients connection, Class<T> type, CodecRegistry codecs, int attempts) {
                ReactiveOptimisticCollection<T> collection = ReactiveOptimisticCollection.of(connection
                                .reactive()
                                .getDatabase(LockContract.DATABASE)
                                .getCollection("counters", type)
                                .withCodecRegistry(codecs))
                        .withAttempts(attempts)
                        .withWaits(FIRST, CAP);
                return (id, change) -> ReactiveConnection.await(collection.update(id, change));
            }
        };

        abstract <T> Updates<T> open(DriverClients connection, Class<T> type, CodecRegistry codecs, int attempts);

        Updates<Document> open(DriverClients connection) {
            return open(connection, Document.class, MongoClientSettings.getDefaultCodecRegistry(), ATTEMPTS);
        }
    }

    @Test
    void noUpdateOfManyWritersIsLost() throws Exception {
        counters.insertOne(new Document("_id", id).append("count", 0));

        long indeterminate = incrementByMany(DriverClients.shared(uri));

        assertThat(indeterminate).isZero();
        assertThat(stored())
                .containsEntry("count", WRITERS * UPDATES_OF_EACH)
                .containsEntry("version", (long) WRITERS * UPDATES_OF_EACH);
        assertThat(stored().getList("versionMarks", Document.class)).hasSize(KEPT_MARKS);
    }

    /** A mapped type that lacks most fields of the document. */
    public record RecordCounter(
            @BsonId String id, int count, @Nullable String note) {}

    @Test
    void fieldsThatARecordDoesNotHaveStayAsTheyAre() throws Exception {
        counters.insertOne(
                new Document("_id", id).append("count", 0).append("note", "old").append("owner", "ann"));
        Updates<RecordCounter> records = by.open(
                DriverClients.shared(uri), RecordCounter.class, MongoClientSettings.getDefaultCodecRegistry(), 2);

        Optional<RecordCounter> after =
                records.update(id, counter -> new RecordCounter(counter.id(), counter.count() + 1, null));

        assertThat(after).contains(new RecordCounter(id, 1, null));
        assertThat(stored())
                .containsEntry("count", 1)
                .containsEntry("owner", "ann")
                .containsEntry("version", 1L)
                .doesNotContainKey("note");
    }

    /** A mapped class that has the version too. */
    public static final class VersionedCounter {
        private String id = "";
        private int count;
        private long version;

        public String getId() {
            return id;
        }

        public void setId(String id) {
            this.id = id;
        }

        public int getCount() {
            return count;
        }

        public void setCount(int count) {
            this.count = count;
        }

        public long getVersion() {
            return version;
        }

        public void setVersion(long version) {
            this.version = version;
        }
    }

    @Test
    void classMayHaveTheVersionAndMayBeChangedInPlace() throws Exception {
        counters.insertOne(new Document("_id", id).append("count", 0).append("owner", "ann"));
        CodecRegistry codecs = fromRegistries(
                MongoClientSettings.getDefaultCodecRegistry(),
                fromProviders(PojoCodecProvider.builder().automatic(true).build()));
        Updates<VersionedCounter> classes = by.open(DriverClients.shared(uri), VersionedCounter.class, codecs, 2);
        UnaryOperator<VersionedCounter> increment = counter -> {
            counter.setCount(counter.getCount() + 1);
            return counter;
        };

        assertThat(classes.update(id, increment).orElseThrow().getVersion()).isEqualTo(1);
        assertThat(classes.update(id, increment).orElseThrow().getVersion()).isEqualTo(2);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> classes.update(id, counter -> {
                    counter.setVersion(9);
                    return counter;
                }))
                .withMessageContaining("'version'");

        assertThat(stored()).containsEntry("count", 2).containsEntry("owner", "ann");
    }

    @Test
    void idMayBeOfAnyType() throws Exception {
        ObjectId object = new ObjectId();
        Document compound = new Document("shop", id).append("number", 7);
        for (Object any : List.of(object, compound, new BsonString(id + "-bson"))) {
            counters.insertOne(new Document("_id", any).append("count", 0));

            assertThat(updates()
                            .update(any, OptimisticCollectionTest::increment)
                            .orElseThrow())
                    .containsEntry("count", 1);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{version: NumberLong(1)}",
                "{version: 1, versionMarks: []}",
                "{version: 1, versionMarks: [{v: NumberLong(1), by: 'other'}]}",
                "{}"
            })
    @Tag("finds:update-of-a-new-document")
    void documentThatWasInsertedAgainIsReadAgain(String fields) throws Exception {
        counters.insertOne(new Document("_id", id).append("count", 0));
        updates().update(id, OptimisticCollectionTest::increment);
        Document inserted = new Document("_id", id).append("count", 100);
        inserted.putAll(Document.parse(fields));
        AtomicBoolean isInserted = new AtomicBoolean();

        Optional<Document> after = updates().update(id, counter -> {
            if (isInserted.compareAndSet(false, true)) {
                counters.deleteOne(eq("_id", id));
                counters.insertOne(inserted);
            }
            return increment(counter);
        });

        assertThat(after.orElseThrow()).containsEntry("count", 101);
        assertThat(stored()).containsEntry("count", 101);
    }

    @Test
    @Tag("finds:update-of-a-new-document")
    void documentThatWasInsertedWithMarksIsReadAgain() throws Exception {
        counters.insertOne(new Document("_id", id).append("count", 0).append("version", 1L));
        AtomicBoolean isInserted = new AtomicBoolean();

        updates().update(id, counter -> {
            if (isInserted.compareAndSet(false, true)) {
                counters.deleteOne(eq("_id", id));
                counters.insertOne(new Document("_id", id).append("count", 99));
                assertThat(anotherUpdate()).isPresent();
            }
            return increment(counter);
        });

        assertThat(stored()).containsEntry("count", 101);
    }

    private Optional<Document> anotherUpdate() {
        try {
            return updates().update(id, OptimisticCollectionTest::increment);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    @Tag("finds:update-too-large")
    void documentThatBecomesTooLargeIsRefused() {
        counters.insertOne(new Document("_id", id));
        String large = "x".repeat(17 << 20);

        assertThatExceptionOfType(LockException.class)
                .isThrownBy(() -> updates().update(id, counter -> counter.append("large", large)))
                .withRootCauseInstanceOf(BSONException.class)
                .matches(e -> !e.isTransient());

        assertThat(stored()).doesNotContainKeys("large", "version");
    }

    @Test
    void writeThatNeverGetsAReplyIsIndeterminate() {
        counters.insertOne(new Document("_id", id).append("count", 0));
        try (Faults faults = new Faults()) {
            faults.lose(false, FaultyLocks.ALWAYS);

            assertThatExceptionOfType(IndeterminateOutcomeException.class)
                    .isThrownBy(() -> by.open(faults.connection).update(id, OptimisticCollectionTest::increment))
                    .withCauseInstanceOf(MongoException.class)
                    .matches(LockException::isTransient)
                    .returns(IndeterminateOutcomeException.Operation.UPDATE, IndeterminateOutcomeException::operation)
                    .withMessageContaining(id);
        }
        assertThat(stored()).containsEntry("count", 0);
    }

    @ParameterizedTest(name = "executed={0}")
    @ValueSource(booleans = {true, false})
    void manyWritersWithLostRepliesCountRight(boolean executed) throws Exception {
        counters.insertOne(new Document("_id", id).append("count", 0));
        try (Faults faults = new Faults()) {
            faults.lose(executed, 20);

            long indeterminate = incrementByMany(faults.connection);

            long updated = WRITERS * UPDATES_OF_EACH - indeterminate;
            assertThat(updated).isGreaterThan(WRITERS * UPDATES_OF_EACH / 2);
            assertThat((long) stored().getInteger("count")).isBetween(updated, updated + indeterminate);
        }
    }

    @Test
    void concurrentWritesToOtherFieldsAreKept() throws Exception {
        counters.insertOne(new Document("_id", id).append("count", 0));

        updates().update(id, counter -> {
            counters.updateOne(eq("_id", id), set("comment", "by hand"));
            return counter.append("count", 1);
        });

        assertThat(stored()).containsEntry("count", 1).containsEntry("comment", "by hand");
    }

    @Test
    void refusalOfTheServerIsAnError() {
        counters.insertOne(new Document("_id", id).append("count", 0));
        try (Faults faults = new Faults()) {
            faults.locks.refuse(1, 13, List.of("findAndModify"));

            assertThatExceptionOfType(LockException.class)
                    .isThrownBy(() -> by.open(faults.connection).update(id, OptimisticCollectionTest::increment))
                    .matches(e -> !e.isTransient())
                    .withMessageContaining(LockContract.DATABASE + ".counters");
        }
        assertThat(stored()).containsEntry("count", 0);
    }

    @Test
    void closedDriverIsReported() {
        counters.insertOne(new Document("_id", id).append("count", 0));
        ProxyRoute route = ProxyRoute.to(uri, true);
        Updates<Document> updates = by.open(route.connection());
        route.close();

        assertThatExceptionOfType(ClientClosedException.class)
                .isThrownBy(() -> updates.update(id, OptimisticCollectionTest::increment));
    }

    @Test
    void interruptEndsTheWaitAndIsKept() throws Exception {
        counters.insertOne(new Document("_id", id).append("count", 0));
        OptimisticCollection<Document> endless = OptimisticCollection.of(counters)
                .withAttempts(Integer.MAX_VALUE)
                .withWaits(Duration.ofHours(1), Duration.ofHours(1));
        CountDownLatch lost = new CountDownLatch(1);
        List<Boolean> flags = new ArrayList<>();
        Thread writer = new Thread(() -> {
            try {
                endless.update(id, counter -> {
                    counters.updateOne(eq("_id", id), inc("version", 1L));
                    lost.countDown();
                    return increment(counter);
                });
            } catch (LockInterruptedException e) {
                flags.add(Thread.currentThread().isInterrupted());
            }
        });
        writer.start();
        assertThat(lost.await(10, TimeUnit.SECONDS)).isTrue();

        writer.interrupt();
        writer.join(TimeUnit.SECONDS.toMillis(10));

        assertThat(flags).containsExactly(true);
        assertThat(stored()).containsEntry("count", 0);
    }

    @Test
    void nothingIsSentBeforeASubscriptionAndEachSubscriptionUpdates() throws Exception {
        counters.insertOne(new Document("_id", id).append("count", 0));
        Mono<Document> update = ReactiveOptimisticCollection.of(DriverClients.shared(uri)
                        .reactive()
                        .getDatabase(LockContract.DATABASE)
                        .getCollection("counters"))
                .update(id, OptimisticCollectionTest::increment);
        assertThat(stored()).containsEntry("count", 0);

        ReactiveConnection.await(update);
        ReactiveConnection.await(update);

        assertThat(stored()).containsEntry("count", 2);
    }

    @Test
    void theExampleOfTheDocumentDeposits() {
        MongoCollection<Document> accounts = DriverClients.shared(uri)
                .sync()
                .getDatabase(LockContract.DATABASE)
                .getCollection("accounts");
        accounts.replaceOne(
                eq("_id", 7), new Document("_id", 7).append("balance", 100), new ReplaceOptions().upsert(true));

        assertThat(deposit(accounts))
                .hasValueSatisfying(account -> assertThat(account).containsEntry("balance", 105));
    }

    @Test
    void theDocumentShowsThisExample() throws IOException {
        String source = Files.readString(Path.of(
                "src", "test", "java", "org", "mongolocks", "contract", "data", "OptimisticCollectionTest.java"));
        String example = source.substring(source.indexOf("// begin\n") + 9, source.indexOf("        // end\n"));

        assertThat(Files.readString(Path.of("..", "..", "docs", "data-safety.md"))
                        .replaceAll("\\s", ""))
                .contains(example.replaceAll("\\s", ""));
    }

    private static Optional<Document> deposit(MongoCollection<Document> collection) {
        // begin
        OptimisticCollection<Document> accounts = OptimisticCollection.of(collection);
        Optional<Document> after =
                accounts.update(7, account -> account.append("balance", account.getInteger("balance") + 5));
        // end
        return after;
    }

    private static Document increment(Document counter) {
        return counter.append("count", counter.getInteger("count") + 1);
    }

    /** Returns the number of updates whose outcome is not known. */
    private long incrementByMany(DriverClients connection) throws Exception {
        List<BackgroundTask<Integer>> writers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
            writers.add(BackgroundTask.run(() -> incrementOften(connection)));
        }
        long indeterminate = 0;
        for (BackgroundTask<Integer> writer : writers) {
            indeterminate += writer.result();
        }
        return indeterminate;
    }

    private int incrementOften(DriverClients connection) throws InterruptedException {
        Updates<Document> updates = by.open(connection);
        int indeterminate = 0;
        for (int update = 0; update < UPDATES_OF_EACH; update++) {
            try {
                assertThat(updates.update(id, OptimisticCollectionTest::increment))
                        .isPresent();
            } catch (IndeterminateOutcomeException e) {
                indeterminate++;
            }
        }
        return indeterminate;
    }

    private Updates<Document> updates() {
        return by.open(DriverClients.shared(uri));
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
