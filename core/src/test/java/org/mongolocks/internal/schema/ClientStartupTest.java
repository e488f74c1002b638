package org.mongolocks.internal.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.LockStorageException;
import org.mongolocks.SchemaMode;
import org.mongolocks.internal.DescribedStrategy;
import org.mongolocks.internal.run.FaultClassifier;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.LockSchema.TtlIndex;
import org.mongolocks.spi.LockStrategy;
import org.mongolocks.spi.LockStrategy.Trait;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.ReadSchema.Part;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Step;

class ClientStartupTest {
    private static final Reply OK = new Reply.Acknowledged();
    private static final Reply NO_MATCH = new Reply.Counted(0, false);
    private static final String REPLICA_SET = "{setName: 'rs0', maxWireVersion: 9}";
    private static final LockCollection LOCKS =
            new LockCollection("locks", Optional.of(new TtlIndex("purgeAt", Duration.ZERO)));
    private static final LockCollection FENCES = new LockCollection("fences", Optional.empty());
    private static final MongoOp READ_LOCKS = new MongoOp.ReadSchema("demo/read-schema", "locks", Part.OPTIONS);
    private static final MongoOp READ_FENCES = new MongoOp.ReadSchema("demo/read-schema", "fences", Part.OPTIONS);
    private static final MongoOp PIPELINE = new MongoOp.UpdateOne(
            "demo/check-pipelines",
            "locks",
            BsonDocument.parse("{_id: ''}"),
            MongoOp.UpdateSpec.pipeline(BsonDocument.parse("{$set: {format: '$format'}}")),
            false);
    private static final String STANDALONE = "{maxWireVersion: 9}";

    private final Lab lab = new Lab();
    private final List<MongoOp> sent = new ArrayList<>();
    private final Deque<Reply> replies = new ArrayDeque<>();

    @Test
    void createsCollectionsAndIndexes() {
        replies.addAll(List.of(hello(REPLICA_SET), NO_MATCH, nothing(), nothing(), OK, OK));

        assertThat(run(strategy(Trait.SERVER_CLOCK), SchemaMode.CREATE)).isEmpty();
        assertThat(sent)
                .containsExactly(
                        new MongoOp.Hello("demo/hello", "hello"),
                        PIPELINE,
                        READ_LOCKS,
                        READ_FENCES,
                        new MongoOp.CreateCollection("demo/create", LOCKS),
                        new MongoOp.CreateCollection("demo/create", FENCES));
    }

    @Test
    void schemaModeNoneOnlyReadsTheOptions() {
        replies.addAll(List.of(hello(REPLICA_SET), nothing(), nothing()));

        assertThat(run(strategy(), SchemaMode.NONE)).isEmpty();
        assertThat(sent).containsExactly(new MongoOp.Hello("demo/hello", "hello"), READ_LOCKS, READ_FENCES);
    }

    @Test
    void oldServersAreAskedByTheOldName() {
        replies.addAll(List.of(failed(59), hello(REPLICA_SET), nothing(), nothing()));

        assertThat(run(strategy(), SchemaMode.NONE)).isEmpty();
        assertThat(sent).element(1).isEqualTo(new MongoOp.Hello("demo/hello", "isMaster"));
    }

    @Test
    void aServerThatAnswersNeitherIsAFailure() {
        replies.addAll(List.of(failed(59), failed(59)));

        assertThat(last(strategy(), SchemaMode.NONE)).isInstanceOf(Step.Fail.class);
    }

    @Test
    void existingCollectionIsNoWarning() {
        replies.addAll(List.of(hello(REPLICA_SET), nothing(), nothing(), OK, failed(48)));

        assertThat(run(strategy(), SchemaMode.CREATE)).isEmpty();
    }

    @Test
    void failedCreationIsAWarning() {
        replies.addAll(List.of(hello(REPLICA_SET), nothing(), nothing(), failed(85), failed(13)));

        assertThat(run(strategy(), SchemaMode.CREATE))
                .hasSize(2)
                .allSatisfy(warning -> assertThat(warning).contains("not needed for correct locks"));
    }

    @Test
    void transactionsNeedMoreThanAStandalone() {
        replies.add(hello(STANDALONE));

        assertThatExceptionOfType(LockStorageException.class)
                .isThrownBy(() -> run(strategy(Trait.NEEDS_TRANSACTIONS), SchemaMode.CREATE))
                .withMessageContaining("'demo' needs transactions")
                .withMessageContaining("standalone")
                .withMessageContaining("mongod --replSet rs0");
    }

    @Test
    void mongosIsNoStandalone() {
        replies.add(hello("{msg: 'isdbgrid', maxWireVersion: 9}"));
        replies.addAll(List.of(nothing(), nothing(), nothing(), nothing()));

        assertThat(run(strategy(Trait.NEEDS_TRANSACTIONS), SchemaMode.NONE)).isEmpty();
    }

    @Test
    void otherStrategiesAreContentWithAStandalone() {
        replies.addAll(List.of(hello(STANDALONE), NO_MATCH, nothing(), nothing()));

        assertThat(run(strategy(Trait.SERVER_CLOCK), SchemaMode.NONE)).isEmpty();
    }

    @Test
    void theServersClockNeedsANewEnoughServer() {
        replies.addAll(List.of(
                hello("{setName: 'rs0', maxWireVersion: 8}"), hello("{maxWireVersion: 8}"), nothing(), nothing()));

        assertThatExceptionOfType(LockStorageException.class)
                .isThrownBy(() -> run(strategy(Trait.SERVER_CLOCK), SchemaMode.CREATE))
                .withMessageContaining("MongoDB 4.4 or newer")
                .withMessageContaining("wire version 8");
        assertThat(run(strategy(Trait.CLOCK_FREE), SchemaMode.NONE)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {2, 9, 14, 115, 238, 303})
    void theServersClockNeedsUpdatePipelines(int refusal) {
        replies.addAll(List.of(hello(REPLICA_SET), failed(refusal)));

        assertThatExceptionOfType(LockStorageException.class)
                .isThrownBy(() -> run(strategy(Trait.SERVER_CLOCK), SchemaMode.NONE))
                .withMessageContainingAll("'demo' needs update pipelines", "code " + refusal, "CLOCK_FREE")
                .withCauseInstanceOf(MongoCommandException.class);
    }

    /** A missing right, a change of the primary, a timeout, a view, a missing shard key. */
    @ParameterizedTest
    @ValueSource(ints = {13, 10107, 50, 166, 61})
    void anotherErrorSaysNothingAboutPipelines(int code) {
        replies.addAll(List.of(hello(REPLICA_SET), failed(code), nothing(), nothing()));

        assertThat(run(strategy(Trait.SERVER_CLOCK), SchemaMode.NONE)).isEmpty();
    }

    private List<String> run(LockStrategy strategy, SchemaMode schema) {
        return ((Step.Done<List<String>>) last(strategy, schema)).result();
    }

    private Step<List<String>> last(LockStrategy strategy, SchemaMode schema) {
        Step<List<String>> step = new ClientStartup(lab.settings(strategy, schema)).start();
        while (step instanceof Step.Call<List<String>> call) {
            sent.add(call.op());
            step = call.then().apply(replies.remove());
        }
        return step;
    }

    private static Reply nothing() {
        return new Reply.FoundMany(List.of());
    }

    private static Reply hello(String json) {
        return Reply.Found.of(BsonDocument.parse(json));
    }

    private static Reply failed(int code) {
        BsonDocument reply = new BsonDocument("code", new BsonInt32(code)).append("errmsg", new BsonString("no"));
        MongoCommandException cause = new MongoCommandException(reply, new ServerAddress());
        return new Reply.Failed(FaultClassifier.classify(cause), cause);
    }

    private static LockStrategy strategy(Trait... traits) {
        return new DescribedStrategy("demo", Set.of(traits), new LockSchema(List.of(LOCKS, FENCES)));
    }
}
