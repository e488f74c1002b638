package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.ids;
import static org.mongolocks.embedded.support.Replies.n;
import static org.mongolocks.embedded.support.Replies.writeErrorCode;

import java.time.Duration;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.embedded.support.Answer;
import org.mongolocks.embedded.support.TestEngine;
import org.mongolocks.embedded.support.TestTransaction;

/** An upsert looks and inserts in two steps, between which others may insert. */
class UpsertRaceTest {
    private static final int DUPLICATE_KEY = 11_000;
    private static final Duration PAUSE = Duration.ofMillis(5);

    private final TestEngine engine = TestEngine.create(builder -> builder.upsertPause(() -> PAUSE));

    @Test
    @Tag("finds:embedded-upsert")
    void twoUpsertsOnAFieldThatIsNotUniqueBothInsert() {
        Answer first =
                fromA("{findAndModify: 'c', query: {key: 'k'}, update: {$inc: {n: 1}}, upsert: true, new: true}");
        Answer second = fromB("{update: 'c', updates: [{q: {key: 'k'}, u: {$inc: {n: 1}}, upsert: true}]}");

        engine.advance(PAUSE);

        assertThat(first.reply().getDocument("value").getInt32("n").getValue()).isEqualTo(1);
        assertThat(second.reply().getArray("upserted")).hasSize(1);
        assertThat(batch(engine.run("{find: 'c', filter: {key: 'k', n: 1}}"))).hasSize(2);
    }

    @Test
    void theLoserOfTwoFindAndModifyOnTheSameIdFails() {
        String command = "{findAndModify: 'c', query: {_id: 1}, update: {$inc: {n: 1}}, upsert: true, new: true}";
        Answer first = fromA(command);
        Answer second = fromB(command);

        engine.advance(PAUSE);

        assertThat(code(first.reply())).isZero();
        assertThat(code(second.reply())).isEqualTo(DUPLICATE_KEY);
    }

    @ParameterizedTest
    @ValueSource(strings = {"5.0", "7.0", "8.0", "9.0"})
    void since5_0TheLoserUpdatesAfterAll(String version) {
        TestEngine later = TestEngine.create(builder -> builder.version(version).upsertPause(() -> PAUSE));
        String command = "{findAndModify: 'c', query: {_id: 1}, update: {$inc: {n: 1}}, upsert: true, new: true}";
        later.submitOn("a", command);
        Answer second = later.submitOn("b", command);

        later.advance(PAUSE);

        assertThat(second.reply().getDocument("value").getInt32("n").getValue()).isEqualTo(2);
    }

    @Test
    void concurrentUpsertByIdOnlyIsRetried() {
        String command = "{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {n: 1}}, upsert: true}]}";
        fromA(command);
        Answer second = fromB(command);

        engine.advance(PAUSE);

        assertThat(n(second.reply())).isEqualTo(1);
        assertThat(second.reply().containsKey("upserted")).isFalse();
        assertThat(batch(engine.run("{find: 'c'}"))).containsExactly(BsonDocument.parse("{_id: 1, n: 2}"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"{_id: 1, owner: 'b'}", "{_id: 1, n: {$lt: 0}}"})
    void concurrentUpsertByOtherFieldsFails(String query) {
        fromA("{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {n: 1}}, upsert: true}]}");
        Answer second = fromB("{update: 'c', updates: [{q: " + query + ", u: {$inc: {n: 1}}, upsert: true}]}");

        engine.advance(PAUSE);

        assertThat(writeErrorCode(second.reply())).isEqualTo(DUPLICATE_KEY);
    }

    @Test
    void theStatementsOfABatchEachTakeTwoSteps() {
        Answer answer = fromA(
                "{update: 'c', updates: ["
                        + "{q: {_id: 1}, u: {$set: {x: 1}}, upsert: true}, {q: {y: 2}, u: {$set: {x: 2}}, multi: true, upsert: true}]}");
        engine.advance(PAUSE);
        assertThat(ids(engine.run("{find: 'c'}"))).containsExactly("1");

        engine.advance(PAUSE);

        assertThat(n(answer.reply())).isEqualTo(2);
    }

    @Test
    void aMatchOrATransactionIsOneStep() {
        engine.run("{insert: 'c', documents: [{_id: 1}]}");
        TestTransaction transaction = new TestTransaction(engine, "A", 1);

        assertThat(n(engine.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 1}}, upsert: true}]}")))
                .isEqualTo(1);
        assertThat(n(transaction.run("{update: 'c', updates: [{q: {_id: 2}, u: {$set: {x: 1}}, upsert: true}]}")))
                .isEqualTo(1);
    }

    private Answer fromA(String command) {
        return engine.submitOn("a", command);
    }

    private Answer fromB(String command) {
        return engine.submitOn("b", command);
    }
}
