package org.mongolocks.reactive;

import static com.mongodb.client.model.Filters.and;
import static com.mongodb.client.model.Filters.eq;
import static com.mongodb.client.model.Updates.inc;
import static com.mongodb.client.model.Updates.set;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.bson.codecs.configuration.CodecRegistries.fromProviders;
import static org.bson.codecs.configuration.CodecRegistries.fromRegistries;

import com.mongodb.MongoBulkWriteException;
import com.mongodb.MongoClientSettings;
import com.mongodb.MongoException;
import com.mongodb.MongoWriteConcernException;
import com.mongodb.MongoWriteException;
import com.mongodb.WriteConcern;
import com.mongodb.client.MongoCollection;
import com.mongodb.client.model.BulkWriteOptions;
import com.mongodb.client.model.Collation;
import com.mongodb.client.model.DeleteOneModel;
import com.mongodb.client.model.DeleteOptions;
import com.mongodb.client.model.InsertOneModel;
import com.mongodb.client.model.ReplaceOneModel;
import com.mongodb.client.model.ReplaceOptions;
import com.mongodb.client.model.UpdateManyModel;
import com.mongodb.client.model.UpdateOneModel;
import com.mongodb.client.model.UpdateOptions;
import com.mongodb.client.model.WriteModel;
import com.mongodb.event.CommandListener;
import com.mongodb.event.CommandStartedEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.bson.BsonDocument;
import org.bson.Document;
import org.bson.codecs.configuration.CodecRegistry;
import org.bson.codecs.pojo.PojoCodecProvider;
import org.bson.conversions.Bson;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.Fence;
import org.mongolocks.StaleTokenException;
import org.mongolocks.proxy.CommandMatcher;
import org.mongolocks.proxy.WireFault;
import org.mongolocks.reactive.FencedDriver.Fenced;
import org.mongolocks.server.ContractServer;
import org.mongolocks.server.DriverClients;
import org.mongolocks.server.DroppedDatabase;
import org.mongolocks.server.ProxyRoute;
import org.mongolocks.server.ServerFinder;

/** Tests of each kind of fenced write, on both drivers. */
@ParameterizedClass(name = "{0}")
@EnumSource(FencedDriver.class)
@ExtendWith(DroppedDatabase.class)
class FencedWritesTest {
    private static final String NAME = "fenced";
    private static final int UNKNOWN_REPLICATION_OUTCOME = 64;

    @Parameter
    private FencedDriver driver = FencedDriver.SYNC;

    private final String uri = ServerFinder.found().uri();
    private final DriverClients connection = DriverClients.shared(uri);
    private final MongoCollection<Document> plain = connection
            .sync()
            .getDatabase(ContractServer.DATABASE)
            .getCollection(NAME)
            .withWriteConcern(WriteConcern.MAJORITY);
    private final String id = UUID.randomUUID().toString();
    private final Bson mine = eq("_id", id);
    private final Bson all = eq("group", id);

    /** A write of one document, in each of the ways there are. */
    enum Kind {
        UPDATE("{balance: 11, fence: NumberLong(5)}") {
            @Override
            boolean write(Fenced<Document> holder, Bson filter) {
                return holder.update(filter, set("balance", 11));
            }
        },
        PIPELINE("{balance: 11, fence: NumberLong(5)}") {
            @Override
            boolean write(Fenced<Document> holder, Bson filter) {
                return holder.update(filter, List.of(set("balance", 11)));
            }
        },
        REPLACE("{name: '$new', fence: NumberLong(5)}") {
            @Override
            boolean write(Fenced<Document> holder, Bson filter) {
                return holder.replace(filter, new Document("name", "$new"));
            }
        },
        DELETE(null) {
            @Override
            boolean write(Fenced<Document> holder, Bson filter) {
                return holder.delete(filter);
            }
        },
        BULK_UPDATE("{balance: 11, fence: NumberLong(5)}") {
            @Override
            boolean write(Fenced<Document> holder, Bson filter) {
                return holder.bulkWrite(List.of(new UpdateOneModel<>(filter, set("balance", 11)))) == 1;
            }
        },
        BULK_PIPELINE("{balance: 11, fence: NumberLong(5)}") {
            @Override
            boolean write(Fenced<Document> holder, Bson filter) {
                return holder.bulkWrite(List.of(new UpdateOneModel<>(filter, List.of(set("balance", 11))))) == 1;
            }
        },
        BULK_REPLACE("{name: '$new', fence: NumberLong(5)}") {
            @Override
            boolean write(Fenced<Document> holder, Bson filter) {
                return holder.bulkWrite(List.of(new ReplaceOneModel<>(filter, new Document("name", "$new")))) == 1;
            }
        },
        BULK_DELETE(null) {
            @Override
            boolean write(Fenced<Document> holder, Bson filter) {
                return holder.bulkWrite(List.of(new DeleteOneModel<>(filter))) == 1;
            }
        };

        private final @Nullable String written;

        Kind(@Nullable String written) {
            this.written = written;
        }

        abstract boolean write(Fenced<Document> holder, Bson filter);
    }

    @ParameterizedTest
    @EnumSource
    void touchedDocumentIsWritten(Kind kind) {
        insert(id);
        Fenced<Document> holder = holder(5);
        holder.touch(mine);

        assertThat(kind.write(holder, mine)).isTrue();

        Document stored = stored();
        if (kind.written == null) {
            assertThat(stored).isNull();
        } else {
            assertThat(stored).containsAllEntriesOf(Document.parse(kind.written));
        }
    }

    @ParameterizedTest
    @EnumSource
    void lateHolderIsRefused(Kind kind) {
        insert(id);
        Fenced<Document> late = holder(5);
        late.touch(mine);
        holder(6).touch(mine);
        Document before = stored();

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> kind.write(late, mine))
                .matches(stale -> stale.seen() == 6);

        assertThat(stored()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void documentThatWasNotTouchedIsRefused(Kind kind) {
        insert(id);
        Document before = stored();

        assertThatIllegalStateException()
                .isThrownBy(() -> kind.write(holder(5), mine))
                .withMessageContaining("must be touched before it is written");

        assertThat(stored()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void missingDocumentIsNotWritten(Kind kind) {
        assertThat(kind.write(holder(5), mine)).isFalse();
        assertThat(stored()).isNull();
    }

    @ParameterizedTest
    @EnumSource
    void abortedTransactionHasWrittenNothing(Kind kind) {
        insert(id);
        Document before = stored();

        assertThatIllegalStateException()
                .isThrownBy(() -> holder(5).inTransaction(inside -> {
                    inside.touch(mine);
                    assertThat(kind.write(inside, mine)).isTrue();
                    assertThat(stored()).isEqualTo(before);
                    throw new IllegalStateException("abort");
                }))
                .withMessage("abort");

        assertThat(stored()).isEqualTo(before);
    }

    @ParameterizedTest
    @EnumSource
    void refusalInATransactionIsTheSame(Kind kind) {
        insert(id);
        holder(6).touch(mine);

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> holder(5).inTransaction(inside -> kind.write(inside, mine)));
    }

    @Test
    void upsertIsRefusedAndNamesTouchOrCreate() {
        Fenced<Document> holder = holder(5);
        UpdateOptions update = new UpdateOptions().upsert(true);
        ReplaceOptions replace = new ReplaceOptions().upsert(true);
        Document empty = new Document();
        List<ThrowingCallable> upserts = List.of(
                () -> holder.update(mine, set("balance", 1), update),
                () -> holder.update(mine, List.of(set("balance", 1)), update),
                () -> holder.replace(mine, empty, replace),
                () -> holder.bulkWrite(List.of(new UpdateOneModel<>(mine, set("balance", 1), update))),
                () -> holder.bulkWrite(List.of(new ReplaceOneModel<>(mine, empty, replace))));

        for (ThrowingCallable upsert : upserts) {
            assertThatIllegalArgumentException().isThrownBy(upsert).withMessageContaining("touchOrCreate");
        }
        assertThat(stored()).isNull();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$inc: {fence: 1}}",
                "{$set: {'fence.$[]': 1}}",
                "{$rename: {balance: 'fence'}}",
                "{balance: 1, fence: 5}",
                "{$max: 1}"
            })
    @Tag("finds:fence-renamed")
    void changeOfTheFenceIsRefusedBeforeItIsSent(String change) {
        insert(id);
        Fenced<Document> holder = holder(5);
        holder.touch(mine);
        Document before = stored();
        Bson update = BsonDocument.parse(change);

        assertThatIllegalArgumentException().isThrownBy(() -> holder.update(mine, update));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> holder.bulkWrite(
                        List.of(new UpdateOneModel<>(mine, inc("balance", 1)), new UpdateOneModel<>(mine, update))));

        assertThat(stored()).isEqualTo(before);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$set: {fence: 99}}",
                "{$unset: 'fence'}",
                "{$unset: ['fence', 'balance']}",
                "{$project: {balance: 1}}",
                "{$project: {fence: 0}}",
                "{$replaceWith: {balance: '$fence'}}",
                "{$replaceRoot: {newRoot: {fence: [1, 2]}}}",
                "{$addFields: {'fence.x': 1}}"
            })
    void stagesThatChangeTheFenceLeaveTheTokenInIt(String stage) {
        insert(id);
        Fenced<Document> holder = holder(5);
        holder.touch(mine);

        assertThat(holder.update(mine, List.of(BsonDocument.parse(stage)))).isTrue();
        assertThat(holder.update(mine, List.of())).isTrue();

        assertThat(stored()).containsEntry("fence", 5L);
        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> holder(4).touch(mine));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$set: {fences: 99}}",
                "{$set: {fences: [{stock: 99}, 2]}}",
                "{$replaceWith: {_id: '$_id', fences: [1]}}",
                "{$project: {fences: 'of wood'}}"
            })
    void stagesThatLeaveNoPlaceForTheTokenFail(String stage) {
        insert(id);
        Fenced<Document> stock = driver.open(connection, NAME, new Fence("fences.stock", 5));
        stock.touch(mine);
        Document before = stored();

        assertThatExceptionOfType(MongoWriteException.class)
                .isThrownBy(() -> stock.update(mine, List.of(BsonDocument.parse(stage))));
        assertThat(stored()).isEqualTo(before);

        assertThat(stock.update(mine, List.of(BsonDocument.parse("{$unset: 'fences'}"))))
                .isTrue();
        assertThat(stock.update(mine, List.of(BsonDocument.parse("{$set: {'fences.orders': 3}}"))))
                .isTrue();
        assertThat(stored()).containsEntry("fences", new Document("stock", 5L).append("orders", 3));
    }

    @Test
    @Tag("finds:fence-empty-bulk")
    void emptyBulkWritesNothing() {
        assertThat(holder(5).bulkWrite(List.of())).isZero();
        assertThat(holder(5).bulkWrite(List.of(), new BulkWriteOptions().ordered(false)))
                .isZero();
        holder(5).inTransaction(inside -> {
            inside.touchOrCreate(mine, new Document());
            assertThat(inside.bulkWrite(List.of())).isZero();
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'a.b': 1}",
                "{a: 1, 'b.': 1}",
                "{'fence.x': 1}",
                "{fence: 9}",
                "{$set: {a: 1}}",
                "{a: 1, $b: 1}",
                "{'': 1}",
                "{a: 1, 'lines.$[].b': 1}"
            })
    @Tag("finds:fence-dotted-initial")
    void newDocumentHasTheFieldsAsTheyAreNamed(String initial) {
        assertThatIllegalArgumentException().isThrownBy(() -> holder(5).touchOrCreate(mine, Document.parse(initial)));
        assertThat(stored()).isNull();

        holder(5).touchOrCreate(mine, Document.parse("{a: {b: {c: 1}}, fences: 1}"));
        assertThat(stored())
                .isEqualTo(
                        Document.parse("{_id: '%s', a: {b: {c: 1}}, fence: NumberLong(5), fences: 1}".formatted(id)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{_id: 'ID', fence: NumberLong(9)}",
                "{$and: [{_id: 'ID'}, {fence: {$eq: 9}}]}",
                "{_id: 'ID', $or: [{fence: 9}]}",
                "{_id: 'ID', 'fence.x': 9}"
            })
    void newDocumentDoesNotGetItsTokenFromTheFilter(String filter) {
        Bson withFence = BsonDocument.parse(filter.replace("ID", id));

        assertThatIllegalArgumentException()
                .isThrownBy(() -> holder(5).touchOrCreate(withFence, new Document()))
                .withMessageContaining("'fence'");

        assertThat(stored()).isNull();
    }

    static Stream<WriteModel<Document>> otherWrites() {
        return Stream.of(
                new InsertOneModel<>(new Document()), new UpdateManyModel<>(new Document(), set("balance", 1)));
    }

    @ParameterizedTest
    @MethodSource("otherWrites")
    void bulkNamesTheWritesThatItTakes(WriteModel<Document> other) {
        insert(id);
        Fenced<Document> holder = holder(5);
        holder.touch(mine);

        assertThatIllegalArgumentException()
                .isThrownBy(() -> holder.bulkWrite(List.of(new UpdateOneModel<>(mine, inc("balance", 1)), other)))
                .withMessageContaining("UpdateOneModel, ReplaceOneModel or DeleteOneModel")
                .withMessageContaining(other.getClass().getSimpleName());

        assertThat(stored()).containsEntry("balance", 10);
    }

    @Test
    void bulkWritesWhatItMayAndThenReportsTheLargestToken() {
        insert(id, id + "-untouched", id + "-stale", id + "-last");
        Fenced<Document> holder = holder(5);
        holder.touch(mine);
        holder.touch(eq("_id", id + "-last"));
        holder(6).touch(eq("_id", id + "-stale"));
        List<WriteModel<Document>> writes = Stream.of(id, id + "-untouched", id + "-stale", id + "-last")
                .<WriteModel<Document>>map(each -> new UpdateOneModel<>(eq("_id", each), inc("balance", 1)))
                .toList();

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> holder.bulkWrite(writes))
                .matches(stale -> stale.token() == 5 && stale.seen() == 6);

        assertThat(balances()).containsExactlyInAnyOrder(11, 10, 10, 11);
    }

    @Test
    void bulkCountsMissingDocuments() {
        insert(id);
        Fenced<Document> holder = holder(5);
        holder.touch(mine);

        assertThat(holder.bulkWrite(List.of(
                        new UpdateOneModel<>(mine, inc("balance", 1)),
                        new UpdateOneModel<>(eq("_id", id + "-missing"), inc("balance", 1)),
                        new ReplaceOneModel<>(mine, new Document("balance", 20)),
                        new DeleteOneModel<>(mine))))
                .isEqualTo(3);
    }

    @Test
    void bulkOfManyWritesFindsTheOneThatIsRefused() {
        holder(6).touchOrCreate(mine, new Document());
        List<WriteModel<Document>> writes = IntStream.rangeClosed(0, 1000)
                .<WriteModel<Document>>mapToObj(number ->
                        new UpdateOneModel<>(number < 1000 ? eq("_id", id + "-" + number) : mine, inc("balance", 1)))
                .toList();

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> holder(5).bulkWrite(writes));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void failedWriteEndsAnOrderedBulkOnly(boolean ordered) {
        insert(id, id + "-2");
        Fenced<Document> holder = holder(5);
        assertThat(holder.touchAll(all)).isEqualTo(2);

        assertThatExceptionOfType(MongoBulkWriteException.class)
                .isThrownBy(() -> holder.bulkWrite(
                        List.of(
                                new UpdateOneModel<>(mine, set("_id", "other")),
                                new UpdateOneModel<>(eq("_id", id + "-2"), inc("balance", 1))),
                        new BulkWriteOptions().ordered(ordered)));

        assertThat(balances()).containsExactlyInAnyOrder(10, ordered ? 10 : 11);
    }

    @Test
    void singleWriteThrowsWhatTheDriverThrows() {
        insert(id);
        Fenced<Document> holder = holder(5);
        holder.touch(mine);
        MongoException ofDriver =
                catchThrowableOfType(MongoWriteException.class, () -> plain.updateOne(mine, set("_id", "other")));

        assertThatExceptionOfType(MongoWriteException.class)
                .isThrownBy(() -> holder.update(mine, set("_id", "other")))
                .matches(e -> e.getCode() == ofDriver.getCode())
                .matches(e -> e.getErrorLabels().equals(ofDriver.getErrorLabels()))
                .matches(e -> e.getServerAddress() != null)
                .withMessage(ofDriver.getMessage());
    }

    @Test
    void failedWriteConcernOfASingleWriteIsReportedAsTheDriverDoes() {
        insert(id);
        holder(5).touch(mine);
        try (ProxyRoute route = ProxyRoute.to(uri, false)) {
            Fenced<Document> holder = driver.open(route.connection(), NAME, Fence.of(5));
            route.proxy()
                    .arm(
                            new CommandMatcher(Set.of("update"), 0, 1),
                            WireFault.failWriteConcern(UNKNOWN_REPLICATION_OUTCOME));

            assertThatExceptionOfType(MongoWriteConcernException.class)
                    .isThrownBy(() -> holder.update(mine, inc("balance", 1)))
                    .matches(e -> e.getWriteConcernError().getCode() == UNKNOWN_REPLICATION_OUTCOME)
                    .matches(e -> e.getWriteResult().getCount() == 1
                            && e.getWriteResult().isUpdateOfExisting());
        }
        assertThat(stored()).containsEntry("balance", 11);
    }

    @Test
    void arrayFiltersSelectElements() {
        plain.insertOne(new Document("_id", id).append("lines", List.of(new Document("n", 1), new Document("n", 2))));
        Fenced<Document> holder = holder(5);
        holder.touch(mine);
        UpdateOptions second = new UpdateOptions().arrayFilters(List.of(eq("line.n", 2)));

        assertThat(holder.update(mine, set("lines.$[line].paid", true), second)).isTrue();
        assertThat(holder.bulkWrite(List.of(new UpdateOneModel<>(mine, set("lines.$[line].sent", true), second))))
                .isEqualTo(1);

        assertThat(stored().getList("lines", Document.class))
                .containsExactly(
                        new Document("n", 1),
                        new Document("n", 2).append("paid", true).append("sent", true));
    }

    @Test
    void optionsAreSentWithTheWriteAndWithTheSearch() {
        Collation simple = Collation.builder().locale("simple").build();
        BsonDocument hint = BsonDocument.parse("{_id: 1}");
        Queue<BsonDocument> sent = new ConcurrentLinkedQueue<>();
        try (DriverClients observed = DriverClients.observedBy(uri, new CommandListener() {
            @Override
            public void commandStarted(CommandStartedEvent event) {
                if (Set.of("update", "delete", "find").contains(event.getCommandName())) {
                    sent.add(event.getCommand().clone());
                }
            }
        })) {
            Fenced<Document> holder = driver.open(observed, NAME, Fence.of(5));
            UpdateOptions update = new UpdateOptions()
                    .collation(simple)
                    .hint(hint)
                    .comment("why")
                    .bypassDocumentValidation(true);
            ReplaceOptions replace = new ReplaceOptions()
                    .collation(simple)
                    .hint(hint)
                    .comment("why")
                    .bypassDocumentValidation(true);

            assertThat(holder.update(mine, set("balance", 1), update)).isFalse();
            assertThat(holder.update(mine, List.of(set("balance", 1)), update)).isFalse();
            assertThat(holder.replace(mine, new Document(), replace)).isFalse();
            assertThat(holder.delete(
                            mine,
                            new DeleteOptions().collation(simple).hint(hint).comment("why")))
                    .isFalse();
        }

        BsonDocument collation = BsonDocument.parse("{locale: 'simple'}");
        assertThat(sent).hasSize(8).allSatisfy(command -> {
            BsonDocument options = command.containsKey("find") ? command : statement(command);
            assertThat(options).containsEntry("collation", collation).containsEntry("hint", hint);
        });
        assertThat(sent.stream().filter(command -> !command.containsKey("find")))
                .allSatisfy(command ->
                        assertThat(command.getString("comment").getValue()).isEqualTo("why"));
        assertThat(sent.stream().filter(command -> command.containsKey("update")))
                .hasSize(3)
                .allSatisfy(command -> assertThat(
                                command.getBoolean("bypassDocumentValidation").getValue())
                        .isTrue());
    }

    private static BsonDocument statement(BsonDocument write) {
        return write.getArray(write.containsKey("update") ? "updates" : "deletes")
                .get(0)
                .asDocument();
    }

    /** A document without a field for the fence. */
    public static final class Account {
        private String id = "";
        private int balance;

        public String getId() {
            return id;
        }

        public void setId(String id) {
            this.id = id;
        }

        public int getBalance() {
            return balance;
        }

        public void setBalance(int balance) {
            this.balance = balance;
        }
    }

    @Test
    void replacementOfATypeWithoutTheFieldKeepsTheFence() {
        insert(id);
        CodecRegistry codecs = fromRegistries(
                MongoClientSettings.getDefaultCodecRegistry(),
                fromProviders(PojoCodecProvider.builder().automatic(true).build()));
        Fenced<Account> holder = driver.open(connection, NAME, Account.class, codecs, new Fence("fences.accounts", 5));
        Account account = holder.touch(mine).orElseThrow();
        account.setBalance(account.getBalance() + 1);

        assertThat(holder.replace(mine, account)).isTrue();
        assertThat(holder.bulkWrite(List.of(new ReplaceOneModel<>(mine, account))))
                .isEqualTo(1);

        assertThat(stored())
                .isEqualTo(
                        new Document("_id", id).append("balance", 11).append("fences", new Document("accounts", 5L)));
    }

    @Test
    void replacementKeepsTheFenceOfAnotherLock() {
        plain.insertOne(new Document("_id", id));
        Fenced<Document> orders = driver.open(connection, NAME, new Fence("fences.orders", 900));
        driver.open(connection, NAME, new Fence("fences.stock", 3)).touch(mine);
        Document order = orders.touch(mine).orElseThrow();

        assertThat(orders.replace(mine, order.append("sent", true))).isTrue();

        assertThat(stored()).containsEntry("sent", true);
        assertThat(stored().get("fences", Document.class))
                .containsEntry("orders", 900L)
                .containsEntry("stock", 3L);
    }

    @Test
    void touchAllTouchesWhatMatchesAndNothingElse() {
        insert(id, id + "-2", id + "-3");
        plain.insertOne(new Document("_id", id + "-other"));
        Fenced<Document> holder = holder(5);

        assertThat(holder.touchAll(all)).isEqualTo(3);
        assertThat(holder.touchAll(all)).as("again").isEqualTo(3);

        assertThat(plain.countDocuments(Fence.of(5).writeFilter(all))).isEqualTo(3);
        assertThat(plain.find(eq("_id", id + "-other")).first()).doesNotContainKey("fence");
        assertThat(holder(5).touchAll(eq("group", "none"))).isZero();
    }

    @Test
    void touchAllReportsADocumentWithALargerToken() {
        insert(id, id + "-2", id + "-3");
        holder(6).touch(eq("_id", id + "-2"));

        assertThatExceptionOfType(StaleTokenException.class)
                .isThrownBy(() -> holder(5).touchAll(all))
                .matches(stale -> stale.seen() == 6);

        assertThat(plain.find(eq("_id", id + "-2")).first()).containsEntry("fence", 6L);
    }

    @Test
    void touchAllIsPartOfItsTransaction() {
        insert(id, id + "-2");

        holder(5).inTransaction(inside -> {
            assertThat(inside.touchAll(all)).isEqualTo(2);
            assertThat(inside.update(mine, inc("balance", 1))).isTrue();
            assertThat(stored()).doesNotContainKey("fence");
        });

        assertThat(plain.countDocuments(and(all, eq("fence", 5L)))).isEqualTo(2);
    }

    private void insert(String... ids) {
        plain.insertMany(Stream.of(ids)
                .map(each -> new Document("_id", each).append("group", id).append("balance", 10))
                .toList());
    }

    private List<Integer> balances() {
        return plain.find(all).map(document -> document.getInteger("balance")).into(new ArrayList<>());
    }

    private Fenced<Document> holder(long token) {
        return driver.open(connection, NAME, Fence.of(token));
    }

    private Document stored() {
        return plain.find(mine).first();
    }
}
