package org.mongolocks.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.mongodb.MongoCommandException;
import com.mongodb.ServerAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.LockSchemaException;
import org.mongolocks.SchemaMode;
import org.mongolocks.spi.LockSchema;
import org.mongolocks.spi.LockSchema.LockCollection;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.SchemaOp;
import org.mongolocks.spi.Step;

class SchemaCheckTest {
    private static final String ID = "{key: {_id: 1}, name: '_id_'}";
    private static final String TTL = "{key: {purgeAt: 1}, name: 'purgeAt_1', expireAfterSeconds: 0}";

    private final List<MongoOp> sent = new ArrayList<>();
    private final Deque<Reply> replies = new ArrayDeque<>();

    @Test
    void whatIsThereIsLookedAtAndNothingIsCreated() {
        replies.addAll(List.of(indexes(ID, TTL), indexes(ID)));

        assertThat(check()).isEqualTo(Step.done(List.of()));
        assertThat(sent)
                .containsExactly(
                        new SchemaOp.ListIndexes("demo/list-indexes", "locks"),
                        new SchemaOp.ListIndexes("demo/list-indexes", "fences"));
    }

    @Test
    void everythingThatIsMissingIsToldAtOnce() {
        replies.addAll(List.of(indexes(), indexes()));

        LockSchemaException told = refused();

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
    void anIndexWithOtherOptionsIsInTheWay() {
        assertThat(problem("{key: {purgeAt: 1}, name: 'old', expireAfterSeconds: 3600}"))
                .containsExactly(
                        "the TTL index of collection 'locks' on 'purgeAt' has expireAfterSeconds 3600 and not 0");
        assertThat(problem("{key: {purgeAt: 1}, name: 'old'}"))
                .containsExactly(
                        "the TTL index of collection 'locks' on 'purgeAt' lets nothing go: it has no expireAfterSeconds");
        assertThat(problem("{key: {purgeAt: 1}, name: 'old', expireAfterSeconds: 0, partialFilterExpression: {}}"))
                .containsExactly(
                        "the TTL index of collection 'locks' on 'purgeAt' is for a part of the documents only");
    }

    @Test
    void anIndexInTheWayIsToBeDroppedByItsName() {
        replies.addAll(List.of(
                indexes(ID, "{key: {purgeAt: 1}, name: 'my \\\"own\\\"', expireAfterSeconds: 3600}"), indexes(ID)));

        assertThat(refused().commands())
                .containsExactly(
                        "db.getCollection(\"locks\").dropIndex(\"my \\\"own\\\"\")",
                        "db.getCollection(\"locks\").createIndex({\"purgeAt\": 1}, {expireAfterSeconds: 0})");
    }

    @Test
    void indexesOnOtherFieldsOrMoreFieldsAreNotMeant() {
        assertThat(problem("{key: {purgeAt: 1, n: 1}, name: 'x', expireAfterSeconds: 0}"))
                .containsExactly("the TTL index of collection 'locks' on 'purgeAt' is missing");
        assertThat(problem("{key: {n: 1}, name: 'x', expireAfterSeconds: 0}"))
                .containsExactly("the TTL index of collection 'locks' on 'purgeAt' is missing");
    }

    @Test
    void numbersOfAnyTypeAreRead() {
        replies.addAll(List.of(
                indexes(ID, "{key: {purgeAt: 1.0}, name: 'x', expireAfterSeconds: NumberLong(0)}"), indexes(ID)));

        assertThat(check()).isEqualTo(Step.done(List.of()));
    }

    @Test
    void notBeingAllowedToLookIsAWarning() {
        replies.addAll(List.of(failed(13), indexes(ID)));

        assertThat(check())
                .isInstanceOfSatisfying(
                        Step.Done.class,
                        done -> assertThat((List<?>) done.result())
                                .singleElement()
                                .asString()
                                .startsWith("Collection 'locks' could not be checked: "));
    }

    @Test
    void anyOtherFaultEndsTheCheck() {
        Reply failure = failed(91);
        replies.add(failure);

        assertThat(check()).isEqualTo(Step.fail(failure));
    }

    private List<String> problem(String index) {
        replies.addAll(List.of(indexes(ID, index), indexes(ID)));
        return refused().problems();
    }

    private LockSchemaException refused() {
        return catchThrowableOfType(LockSchemaException.class, this::check);
    }

    private Step<List<String>> check() {
        LockSchema schema = new LockSchema(List.of(
                new LockCollection("locks", Optional.of("purgeAt")), new LockCollection("fences", Optional.empty())));
        DescribedStrategy strategy = new DescribedStrategy("demo", Set.of(), schema);
        Step<List<String>> step = new SchemaCheck(new Lab().settings(strategy, SchemaMode.VALIDATE)).start();
        while (step instanceof Step.Call<List<String>> call) {
            sent.add(call.op());
            step = call.then().apply(replies.remove());
        }
        return step;
    }

    private static Reply indexes(String... indexes) {
        return new Reply.FoundMany(Stream.of(indexes).map(BsonDocument::parse).toList());
    }

    private static Reply failed(int code) {
        BsonDocument reply = BsonDocument.parse("{code: " + code + ", errmsg: 'no'}");
        MongoCommandException cause = new MongoCommandException(reply, new ServerAddress());
        return new Reply.Failed(Faults.classify(cause), cause);
    }
}
