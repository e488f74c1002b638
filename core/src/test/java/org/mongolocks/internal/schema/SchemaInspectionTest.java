package org.mongolocks.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockStorageException;
import org.mongolocks.SchemaMode;
import org.mongolocks.internal.DescribedStrategy;
import org.mongolocks.internal.run.FaultClassifier;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockSchema.TtlIndex;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.ReadSchema.Part;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

/** Tests with replies in the form of MongoDB 4.4. */
class SchemaInspectionTest {
    private static final String ID = "{v: 2, key: {_id: 1}, name: '_id_'}";
    private static final String TTL = "{v: 2, key: {purgeAt: 1}, name: 'purgeAt_1', expireAfterSeconds: 0}";
    private static final String LOCKS = plain("locks", "{}");
    private static final String FENCES = plain("locks.fences", "{}");
    private static final LockCollection OF_LOCKS =
            new LockCollection("locks", Optional.of(new TtlIndex("purgeAt", Duration.ZERO)));
    private static final LockCollection OF_FENCES = new LockCollection("fences", Optional.empty());
    private static final Step<List<String>> NO_WARNING = Step.done(List.of());

    private final List<MongoOp> sent = new ArrayList<>();
    private final Deque<Reply> replies = new ArrayDeque<>();

    @ParameterizedTest
    @EnumSource
    void completeSchemaIsReadAndNothingIsCreated(SchemaMode mode) {
        locks("{}", ID, TTL);

        assertThat(check(mode, false)).isEqualTo(NO_WARNING);
        assertThat(sent)
                .containsExactly(
                        read("locks", Part.OPTIONS),
                        read("locks", Part.INDEXES),
                        read("fences", Part.OPTIONS),
                        read("fences", Part.INDEXES));
    }

    @Test
    void allMissingPartsAreReportedTogether() {
        replies.addAll(List.of(documents(), documents()));

        LockStorageException told = refused(SchemaMode.VALIDATE);

        assertThat(told.faults())
                .containsExactly(
                        "collection 'locks' is missing",
                        "the TTL index of collection 'locks' on 'purgeAt' is missing",
                        "collection 'locks.fences' is missing");
        assertThat(told)
                .hasMessageContainingAll(told.faults().toArray(new String[0]))
                .hasMessageContaining("./doctor");
    }

    @Test
    void onlyMissingPartsAreCreated() {
        replies.addAll(List.of(documents(LOCKS), documents(ID), documents(), acknowledged(), acknowledged()));

        assertThat(check(SchemaMode.CREATE, false)).isEqualTo(NO_WARNING);
        assertThat(sent.subList(3, sent.size()))
                .containsExactly(
                        new MongoOp.CreateCollection("demo/create", OF_LOCKS),
                        new MongoOp.CreateCollection("demo/create", OF_FENCES));
    }

    @Test
    void ttlIndexWithOtherOptionsIsReported() {
        for (String index : List.of(
                "{'key': {'purgeAt': 1}, 'name': 'old', 'expireAfterSeconds': 3600}",
                "{'key': {'purgeAt': 1}, 'name': 'old'}",
                "{'key': {'purgeAt': 1}, 'name': 'old', 'expireAfterSeconds': 0, 'partialFilterExpression': {}}")) {
            locks("{}", ID, index);

            assertThat(refused(SchemaMode.VALIDATE).faults())
                    .containsExactly("the TTL index of collection 'locks' on 'purgeAt' is " + index.replace('\'', '"')
                            + ", must delete all documents after 0 s");
        }
    }

    @ParameterizedTest
    @EnumSource
    void aTtlIndexOnAnythingButTheWantedFieldIsRefused(SchemaMode mode) {
        for (String key : List.of("{expiresAt: 1}", "{n: 1}", "{purgeAt: 1, n: 1}")) {
            locks("{}", ID, TTL, "{v: 2, key: " + key + ", name: 'x', expireAfterSeconds: 0}");

            LockStorageException told = refused(mode);

            assertThat(told.faults())
                    .singleElement()
                    .asString()
                    .startsWith("collection 'locks' has the TTL index 'x' on ")
                    .endsWith(": the server deletes locks, and their fencing tokens restart");
        }
    }

    @Test
    @Tag("finds:ttl-index-restarts-tokens")
    void aTtlIndexIsRefusedWhereTheStrategyWantsNone() {
        replies.addAll(List.of(documents(), documents(FENCES), documents(ID, TTL)));

        assertThat(refused(SchemaMode.NONE).faults())
                .singleElement()
                .asString()
                .contains("'locks.fences'", "'purgeAt_1'");
    }

    @ParameterizedTest
    @EnumSource
    @Tag("finds:unique-index")
    void aUniqueIndexIsRefused(SchemaMode mode) {
        for (String flag : List.of("unique: true", "prepareUnique: true", "unique: 1")) {
            locks("{}", ID, TTL, "{v: 2, key: {rev: 1}, name: 'rev_1', " + flag + "}");

            LockStorageException told = refused(mode);

            assertThat(told.faults())
                    .singleElement()
                    .asString()
                    .isEqualTo("collection 'locks' has the unique index 'rev_1' on {\"rev\": 1}: a free lock can"
                            + " be refused because of another lock");
        }
    }

    @Test
    void otherIndexesAreNobodysMatter() {
        locks(
                "{}",
                "{v: 2, key: {_id: 1}, name: '_id_', unique: true, clustered: true}",
                TTL,
                "{v: 2, key: {owner: 1}, name: 'owner_1', unique: false}",
                "{v: 2, key: {_id: 'hashed'}, name: '_id_hashed'}");

        assertThat(check(SchemaMode.VALIDATE, false)).isEqualTo(NO_WARNING);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("finds:collation")
    void aDefaultCollationIsRefused(SchemaMode mode) {
        locks("{collation: {locale: 'en', caseLevel: false, strength: 2, version: '57.1'}}", ID, TTL);

        LockStorageException told = refused(mode);

        assertThat(told.faults())
                .singleElement()
                .asString()
                .startsWith("collection 'locks' has the default collation {\"locale\": \"en\"")
                .endsWith("under which different lock names are treated as the same lock");
        assertThat(told)
                .hasMessageStartingWith("Preparing a client with strategy 'demo' in collection 'locks' was refused: ")
                .hasMessageEndingWith(
                        ". ./doctor prints the commands that create or repair it; or choose another collection.");
    }

    @Test
    void theSimpleCollationIsNone() {
        locks("{collation: {locale: 'simple'}}", ID, TTL);

        assertThat(check(SchemaMode.VALIDATE, false)).isEqualTo(NO_WARNING);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("finds:capped-collection")
    void aCappedCollectionIsRefused(SchemaMode mode) {
        replies.addAll(
                List.of(documents(), documents(plain("locks.fences", "{capped: true, size: 4096}")), documents(ID)));

        assertThat(refused(mode).faults())
                .contains(
                        "collection 'locks.fences' is capped, so that the server deletes its oldest locks, held ones too");
    }

    @ParameterizedTest
    @EnumSource
    @Tag("finds:validator")
    void aValidatorIsRefused(SchemaMode mode) {
        locks("{validator: {owner: {$exists: true}}, validationLevel: 'strict', validationAction: 'error'}", ID, TTL);

        LockStorageException told = refused(mode);

        assertThat(told.faults())
                .containsExactly("collection 'locks' has a validator, which may reject writes of locks");
    }

    @Test
    void anEmptyValidatorIsNone() {
        locks("{validator: {}}", ID, TTL);

        assertThat(check(SchemaMode.VALIDATE, false)).isEqualTo(NO_WARNING);
    }

    @ParameterizedTest
    @EnumSource
    @Tag("finds:view")
    void aViewIsRefusedAndItsIndexesAreNotAskedFor(SchemaMode mode) {
        replies.add(documents(
                "{name: 'locks', type: 'view', options: {viewOn: 'x', pipeline: []}, info: {readOnly: true}}"));
        replies.addAll(List.of(documents(FENCES), documents(ID)));

        LockStorageException told = refused(mode);

        assertThat(told.faults())
                .first()
                .asString()
                .isEqualTo(
                        "collection 'locks' has the type view, must be an ordinary collection: locks cannot be stored in it");
        assertThat(sent).doesNotContain(read("locks", Part.INDEXES));
    }

    @Test
    void aTimeSeriesIsRefused() {
        replies.add(
                documents(
                        "{name: 'locks', type: 'timeseries', options: {timeseries: {timeField: 't'}}, info: {readOnly: false}}"));
        replies.add(documents());

        assertThat(refused(SchemaMode.NONE)).hasMessageContaining("locks cannot be stored in it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{owner: 1}", "{_id: 1, owner: 1}", "{owner: 'hashed'}"})
    @Tag("finds:shard-key")
    void aShardKeyOtherThanTheIdIsRefused(String key) {
        replies.addAll(List.of(
                documents(LOCKS),
                documents(ID, TTL),
                documents("{_id: 'app.locks', key: " + key + "}"),
                documents(),
                documents()));

        LockStorageException told =
                catchThrowableOfType(LockStorageException.class, () -> check(SchemaMode.NONE, true));

        assertThat(told.faults()).singleElement().asString().startsWith("collection 'locks' is sharded by ");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{_id: 1}", "{_id: 'hashed'}", "{_id: NumberLong(1)}"})
    void theIdAsShardKeyIsFine(String key) {
        replies.addAll(List.of(
                documents(LOCKS),
                documents(ID, TTL),
                documents("{_id: 'app.locks', key: " + key + "}"),
                documents(FENCES),
                documents(ID),
                documents()));

        assertThat(check(SchemaMode.VALIDATE, true)).isEqualTo(NO_WARNING);
        assertThat(sent).element(2).isEqualTo(read("locks", Part.SHARD_KEY));
    }

    @ParameterizedTest
    @EnumSource(names = {"VALIDATE", "NONE"})
    void missingRightToReadTheSchemaIsOneWarning(SchemaMode mode) {
        replies.addAll(Collections.nCopies(6, failed(13)));

        assertThat(warnings(check(mode, true)))
                .singleElement()
                .asString()
                .startsWith("Could not check that locks of 'demo' are exclusive in 'locks', 'locks.fences',"
                        + " because the server refused listCollections, listIndexes, find in config.collections. ")
                .contains("lockSchemaRead");
    }

    @Test
    void indexesAreReadWithoutTheRightToListCollections() {
        replies.addAll(List.of(
                failed(13),
                documents(ID, TTL, "{v: 2, key: {rev: 1}, name: 'rev_1', unique: true}"),
                failed(13),
                failed(166)));

        assertThat(refused(SchemaMode.NONE).faults())
                .hasSize(2)
                .anyMatch(problem -> problem.contains("'rev_1'"))
                .anyMatch(problem -> problem.contains("'locks.fences' has the type view"));
    }

    @Test
    void partsThatCannotBeReadAreCreatedNevertheless() {
        replies.addAll(List.of(failed(13), documents(ID), failed(13), failed(13)));
        replies.addAll(List.of(acknowledged(), failed(48)));

        assertThat(warnings(check(SchemaMode.CREATE, false))).hasSize(1);
        assertThat(sent.subList(4, sent.size()))
                .containsExactly(
                        new MongoOp.CreateCollection("demo/create", OF_LOCKS),
                        new MongoOp.CreateCollection("demo/create", OF_FENCES));
    }

    @Test
    void unknownCommandOfTheServerIsAWarning() {
        replies.addAll(List.of(failed(59), documents(ID, TTL), failed(59), documents(ID)));

        assertThat(warnings(check(SchemaMode.VALIDATE, false))).hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {115, 238, 303})
    void serverThatDoesNotSupportTheQuestionsIsOneWarning(int code) {
        replies.addAll(List.of(failed(code), failed(code), failed(code), failed(code)));

        assertThat(warnings(check(SchemaMode.NONE, false))).hasSize(1);
    }

    @Test
    void anyOtherFaultEndsTheCheck() {
        Reply failure = failed(91);
        replies.add(failure);

        assertThat(check(SchemaMode.VALIDATE, false)).isEqualTo(Step.fail(failure));
    }

    /** Creates the two collections of the strategy, the first one with options and indexes. */
    private void locks(String options, String... indexes) {
        replies.addAll(
                List.of(documents(plain("locks", options)), documents(indexes), documents(FENCES), documents(ID)));
    }

    private LockStorageException refused(SchemaMode mode) {
        return catchThrowableOfType(LockStorageException.class, () -> check(mode, false));
    }

    private static List<String> warnings(Step<List<String>> last) {
        return ((Step.Done<List<String>>) last).result();
    }

    private Step<List<String>> check(SchemaMode mode, boolean isRouter) {
        LockSchema schema = new LockSchema(List.of(OF_LOCKS, OF_FENCES));
        DescribedStrategy strategy = new DescribedStrategy("demo", Set.of(), schema);
        String hello = isRouter ? "{msg: 'isdbgrid', maxWireVersion: 9}" : "{setName: 'rs0', maxWireVersion: 9}";
        Step<List<String>> step = new ClientStartup(new Lab().settings(strategy, mode)).start();
        step = ((Step.Call<List<String>>) step).then().apply(Reply.Found.of(BsonDocument.parse(hello)));
        while (step instanceof Step.Call<List<String>> call) {
            sent.add(call.op());
            step = call.then().apply(replies.remove());
        }
        return step;
    }

    private static MongoOp read(String collection, Part part) {
        return new MongoOp.ReadSchema("demo/read-schema", collection, part);
    }

    private static String plain(String name, String options) {
        return "{name: '" + name + "', type: 'collection', options: " + options + ", info: {readOnly: false}, idIndex: "
                + ID + "}";
    }

    private static Reply documents(String... documents) {
        return new Reply.FoundMany(Stream.of(documents).map(BsonDocument::parse).toList());
    }

    private static Reply acknowledged() {
        return new Reply.Acknowledged();
    }

    private static Reply failed(int code) {
        BsonDocument reply = BsonDocument.parse("{code: " + code + ", errmsg: 'no'}");
        MongoCommandException cause = new MongoCommandException(reply, new ServerAddress());
        return new Reply.Failed(FaultClassifier.classify(cause), cause);
    }
}
