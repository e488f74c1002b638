package org.mongolocks.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
import org.mongolocks.LockSchemaException;
import org.mongolocks.SchemaMode;
import org.mongolocks.internal.DescribedStrategy;
import org.mongolocks.internal.run.FaultClassifier;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockSchema.TtlIndex;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.SchemaOp;
import org.mongolocks.spi.Step;

/** Tests with replies in the form of MongoDB 4.4. */
class SchemaValidationTest {
    private static final String ID = "{v: 2, key: {_id: 1}, name: '_id_'}";
    private static final String TTL = "{v: 2, key: {purgeAt: 1}, name: 'purgeAt_1', expireAfterSeconds: 0}";
    private static final String LOCKS = plain("locks", "{}");
    private static final String FENCES = plain("locks.fences", "{}");
    private static final Step<List<String>> NO_WARNING = Step.done(List.of());

    private final List<MongoOp> sent = new ArrayList<>();
    private final Deque<Reply> replies = new ArrayDeque<>();

    @ParameterizedTest
    @EnumSource
    void completeSchemaIsReadAndNothingIsCreated(SchemaMode mode) {
        replies.addAll(List.of(documents(LOCKS, FENCES), documents(ID, TTL), documents(ID)));

        assertThat(check(mode, false)).isEqualTo(NO_WARNING);
        assertThat(sent)
                .containsExactly(
                        new SchemaOp.ListCollections("demo/list-collections", List.of("locks", "fences")),
                        new SchemaOp.ListIndexes("demo/list-indexes", "locks"),
                        new SchemaOp.ListIndexes("demo/list-indexes", "fences"));
    }

    @Test
    void allMissingPartsAreReportedTogether() {
        replies.add(documents());

        LockSchemaException told = refused(SchemaMode.VALIDATE);

        assertThat(told.problems())
                .containsExactly(
                        "collection 'locks' is missing",
                        "the TTL index of collection 'locks' on 'purgeAt' is missing",
                        "collection 'locks.fences' is missing");
        assertThat(told.commands())
                .containsExactly(
                        "db.createCollection(\"locks\")",
                        "db.getCollection(\"locks\").createIndex({\"purgeAt\": 1}, {expireAfterSeconds: 0})",
                        "db.createCollection(\"locks.fences\")");
        assertThat(told).hasMessageContainingAll(told.problems().toArray(new String[0]));
        assertThat(told).hasMessageContainingAll(told.commands().toArray(new String[0]));
    }

    @Test
    void onlyMissingPartsAreCreated() {
        replies.addAll(List.of(documents(LOCKS), documents(ID), acknowledged(), acknowledged()));

        assertThat(check(SchemaMode.CREATE, false)).isEqualTo(NO_WARNING);
        assertThat(sent.subList(2, sent.size()))
                .containsExactly(
                        new SchemaOp.CreateTtlIndex(
                                "demo/create-index", "locks", new TtlIndex("purgeAt", Duration.ZERO)),
                        new SchemaOp.CreateCollection("demo/create", "fences"));
    }

    @Test
    void ttlIndexWithOtherOptionsIsReported() {
        assertThat(problem("{key: {purgeAt: 1}, name: 'old', expireAfterSeconds: 3600}"))
                .containsExactly(
                        "the TTL index of collection 'locks' on 'purgeAt' has expireAfterSeconds 3600 and not 0");
        assertThat(problem("{key: {purgeAt: 1}, name: 'old'}"))
                .containsExactly(
                        "the TTL index of collection 'locks' on 'purgeAt' deletes nothing: it has no expireAfterSeconds");
        assertThat(problem("{key: {purgeAt: 1}, name: 'old', expireAfterSeconds: 0, partialFilterExpression: {}}"))
                .containsExactly(
                        "the TTL index of collection 'locks' on 'purgeAt' covers only a part of the documents");
    }

    @Test
    void conflictingIndexIsToBeDroppedByItsName() {
        locks("{}", ID, "{key: {purgeAt: 1}, name: 'my \\\"own\\\"', expireAfterSeconds: 3600}");

        assertThat(refused(SchemaMode.VALIDATE).commands())
                .containsExactly(
                        "db.getCollection(\"locks\").dropIndex(\"my \\\"own\\\"\")",
                        "db.getCollection(\"locks\").createIndex({\"purgeAt\": 1}, {expireAfterSeconds: 0})");
    }

    @ParameterizedTest
    @EnumSource
    void aTtlIndexOnAnythingButTheWantedFieldIsRefused(SchemaMode mode) {
        for (String key : List.of("{expiresAt: 1}", "{n: 1}", "{purgeAt: 1, n: 1}")) {
            locks("{}", ID, TTL, "{v: 2, key: " + key + ", name: 'x', expireAfterSeconds: 0}");

            LockSchemaException told = refused(mode);

            assertThat(told.problems())
                    .singleElement()
                    .asString()
                    .startsWith("collection 'locks' has the TTL index 'x' on ")
                    .endsWith(": the server deletes locks, and their fencing tokens restart");
            assertThat(told.commands()).containsExactly("db.getCollection(\"locks\").dropIndex(\"x\")");
        }
    }

    @Test
    @Tag("finds:ttl-index-restarts-tokens")
    void aTtlIndexIsRefusedWhereTheStrategyWantsNone() {
        replies.addAll(List.of(documents(FENCES), documents(ID, TTL)));

        assertThat(refused(SchemaMode.NONE).problems())
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

            LockSchemaException told = refused(mode);

            assertThat(told.problems())
                    .singleElement()
                    .asString()
                    .isEqualTo("collection 'locks' has the unique index 'rev_1' on {\"rev\": 1}: a free lock can"
                            + " be refused because of another lock");
            assertThat(told.commands()).containsExactly("db.getCollection(\"locks\").dropIndex(\"rev_1\")");
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

        LockSchemaException told = refused(mode);

        assertThat(told.problems())
                .singleElement()
                .asString()
                .startsWith("collection 'locks' has the default collation {\"locale\": \"en\"")
                .endsWith("under which different lock names are treated as the same lock");
        assertThat(told.commands())
                .containsExactly(
                        "db.getCollection(\"locks\").renameCollection(\"locks.before\")",
                        "db.createCollection(\"locks\")",
                        "db.getCollection(\"locks\").createIndex({\"purgeAt\": 1}, {expireAfterSeconds: 0})",
                        "db.getCollection(\"locks.before\").find().forEach(lock =>"
                                + " db.getCollection(\"locks\").insertOne(lock))");
        assertThat(told)
                .hasMessageStartingWith("Preparing a client with strategy 'demo' in collection 'locks' was refused: ")
                .hasMessageContaining("choose another collection");
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
        replies.addAll(List.of(documents(plain("locks.fences", "{capped: true, size: 4096}")), documents(ID)));

        assertThat(refused(mode).problems())
                .contains(
                        "collection 'locks.fences' is capped, so that the server deletes its oldest locks, held ones too");
    }

    @ParameterizedTest
    @EnumSource
    @Tag("finds:validator")
    void aValidatorIsRefused(SchemaMode mode) {
        locks("{validator: {owner: {$exists: true}}, validationLevel: 'strict', validationAction: 'error'}", ID, TTL);

        LockSchemaException told = refused(mode);

        assertThat(told.problems())
                .containsExactly("collection 'locks' has a validator, which may reject writes of locks");
        assertThat(told.commands()).containsExactly("db.runCommand({collMod: \"locks\", validator: {}})");
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
                "{name: 'locks', type: 'view', options: {viewOn: 'x', pipeline: []}, info: {readOnly: true}}", FENCES));
        replies.add(documents(ID));

        LockSchemaException told = refused(mode);

        assertThat(told.problems())
                .first()
                .asString()
                .isEqualTo(
                        "collection 'locks' has the type view, must be an ordinary collection: locks cannot be stored in it");
        assertThat(told.commands()).startsWith("db.getCollection(\"locks\").drop()", "db.createCollection(\"locks\")");
        assertThat(sent).hasSize(2);
    }

    /** A view cannot be renamed, and its collation is no concern once it is dropped. */
    @Test
    void viewWithACollationIsDroppedNotRenamed() {
        replies.add(documents(
                "{name: 'locks', type: 'view', options: {viewOn: 'x', pipeline: [], collation: {locale: 'en'}}}"));

        LockSchemaException refusal = refused(SchemaMode.NONE);

        assertThat(refusal.problems()).hasSize(1);
        assertThat(refusal.commands())
                .startsWith("db.getCollection(\"locks\").drop()")
                .noneMatch(command -> command.contains("renameCollection"));
    }

    @Test
    void aTimeSeriesIsNotToBeDropped() {
        replies.add(
                documents(
                        "{name: 'locks', type: 'timeseries', options: {timeseries: {timeField: 't'}}, info: {readOnly: false}}"));

        LockSchemaException told = refused(SchemaMode.NONE);

        assertThat(told.commands()).isEmpty();
        assertThat(told).hasMessageEndingWith("locks cannot be stored in it. Choose another collection");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{owner: 1}", "{_id: 1, owner: 1}", "{owner: 'hashed'}"})
    @Tag("finds:shard-key")
    void aShardKeyOtherThanTheIdIsRefused(String key) {
        replies.addAll(
                List.of(documents(LOCKS), documents("{_id: 'app.locks', key: " + key + "}"), documents(ID, TTL)));

        LockSchemaException told = catchThrowableOfType(LockSchemaException.class, () -> check(SchemaMode.NONE, true));

        assertThat(told.problems()).singleElement().asString().startsWith("collection 'locks' is sharded by ");
        assertThat(told.commands())
                .containsExactly("db.adminCommand({reshardCollection: db.getName() + \".locks\", key: {_id: 1}})");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{_id: 1}", "{_id: 'hashed'}", "{_id: NumberLong(1)}"})
    void theIdAsShardKeyIsFine(String key) {
        replies.addAll(List.of(
                documents(LOCKS, FENCES),
                documents("{_id: 'app.locks', key: " + key + "}", "{_id: 'other.x.fences', key: {a: 1}}"),
                documents(ID, TTL),
                documents(ID)));

        assertThat(check(SchemaMode.VALIDATE, true)).isEqualTo(NO_WARNING);
        assertThat(sent)
                .element(1)
                .isEqualTo(new SchemaOp.FindShardKeys("demo/find-shard-keys", List.of("locks", "fences")));
    }

    @Test
    void severalProblemsAreReportedTogetherWithOneCommandEach() {
        locks(
                "{capped: true, size: 4096, collation: {locale: 'en'}, validator: {n: 1}}",
                ID,
                TTL,
                "{v: 2, key: {rev: 1}, name: 'rev_1', unique: true}");

        LockSchemaException told = refused(SchemaMode.CREATE);

        assertThat(told.problems()).hasSize(4);
        assertThat(told.commands()).hasSize(4).noneMatch(command -> command.contains("rev_1"));
    }

    @Test
    void numbersOfAnyTypeAreRead() {
        locks("{}", ID, "{key: {purgeAt: 1.0}, name: 'x', expireAfterSeconds: NumberLong(0)}");

        assertThat(check(SchemaMode.VALIDATE, false)).isEqualTo(NO_WARNING);
    }

    @ParameterizedTest
    @EnumSource(names = {"VALIDATE", "NONE"})
    void missingRightToReadTheSchemaIsOneWarning(SchemaMode mode) {
        replies.addAll(List.of(failed(13), failed(13), failed(13), failed(13), failed(13)));

        assertThat(warnings(check(mode, true)))
                .singleElement()
                .asString()
                .startsWith("Could not check that locks of 'demo' are exclusive in 'locks', 'locks.fences',"
                        + " because the server refused listCollections, find in config.collections,"
                        + " listIndexes of 'locks', ")
                .contains("lockSchemaRead");
    }

    @Test
    void indexesAreReadWithoutTheRightToListCollections() {
        replies.addAll(List.of(
                failed(13),
                documents(ID, TTL, "{v: 2, key: {rev: 1}, name: 'rev_1', unique: true}"),
                failed(166),
                documents()));

        assertThat(refused(SchemaMode.NONE).problems())
                .hasSize(2)
                .anyMatch(problem -> problem.contains("'rev_1'"))
                .anyMatch(problem -> problem.contains("'locks.fences' has the type view"));
    }

    @Test
    void partsThatCannotBeReadAreCreatedNevertheless() {
        replies.addAll(List.of(failed(13), documents(ID), failed(13)));
        replies.addAll(List.of(acknowledged(), failed(48)));

        assertThat(warnings(check(SchemaMode.CREATE, false))).hasSize(1);
        assertThat(sent.subList(3, sent.size()))
                .containsExactly(
                        new SchemaOp.CreateTtlIndex(
                                "demo/create-index", "locks", new TtlIndex("purgeAt", Duration.ZERO)),
                        new SchemaOp.CreateCollection("demo/create", "fences"));
    }

    @Test
    void unknownCommandOfTheServerIsAWarning() {
        replies.addAll(List.of(failed(59), documents(ID, TTL), documents(ID), documents()));

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

    private List<String> problem(String index) {
        locks("{}", ID, index);
        return refused(SchemaMode.VALIDATE).problems();
    }

    /** Creates the two collections of the strategy, the first one with options and indexes. */
    private void locks(String options, String... indexes) {
        replies.addAll(List.of(documents(plain("locks", options), FENCES), documents(indexes), documents(ID)));
    }

    private LockSchemaException refused(SchemaMode mode) {
        return catchThrowableOfType(LockSchemaException.class, () -> check(mode, false));
    }

    private static List<String> warnings(Step<List<String>> last) {
        return ((Step.Done<List<String>>) last).result();
    }

    private Step<List<String>> check(SchemaMode mode, boolean isRouter) {
        LockSchema schema = new LockSchema(List.of(
                new LockCollection("locks", Optional.of(new TtlIndex("purgeAt", Duration.ZERO))),
                new LockCollection("fences", Optional.empty())));
        DescribedStrategy strategy = new DescribedStrategy("demo", Set.of(), schema);
        Step<List<String>> step = new SchemaValidation(new Lab().settings(strategy, mode)).start(isRouter);
        while (step instanceof Step.Call<List<String>> call) {
            sent.add(call.op());
            step = call.then().apply(replies.remove());
        }
        return step;
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
