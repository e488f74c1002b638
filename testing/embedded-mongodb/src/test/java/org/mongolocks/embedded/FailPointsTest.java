package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.ids;
import static org.mongolocks.embedded.support.Replies.labels;
import static org.mongolocks.embedded.support.Replies.n;
import static org.mongolocks.embedded.support.Replies.writeErrorCode;

import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.embedded.support.Answer;
import org.mongolocks.embedded.support.TestEngine;
import org.mongolocks.embedded.support.TestTransaction;

/** Errors, lost connections, write concern errors and delays on demand. */
class FailPointsTest {
    private final TestEngine engine = TestEngine.create();

    @BeforeEach
    void aCollection() {
        engine.run("{create: 'c'}");
    }

    @Test
    void aCommandFailsBeforeItDoesAnything() {
        fail("{times: 1}", "{failCommands: ['insert'], errorCode: 11602}");

        BsonDocument failed = engine.run(insert(1));

        assertThat(code(failed)).isEqualTo(11_602);
        assertThat(labels(failed)).containsExactly("RetryableWriteError");
        assertThat(n(engine.run(insert(1)))).isEqualTo(1);
    }

    @Test
    void itMaySkipSomeOccasionsFirst() {
        fail("{skip: 2}", "{failCommands: ['insert'], errorCode: 91}");

        assertThat(code(engine.run(insert(1)))).isZero();
        assertThat(code(engine.run(insert(2)))).isZero();
        assertThat(code(engine.run(insert(3)))).isEqualTo(91);
        assertThat(code(engine.run(insert(4)))).isEqualTo(91);
    }

    @Test
    void itStaysOnUntilItIsSwitchedOff() {
        fail("'alwaysOn'", "{failCommands: ['find', 'insert'], errorCode: 91}");
        assertThat(code(engine.run(insert(1)))).isEqualTo(91);
        assertThat(code(engine.run("{find: 'c'}"))).isEqualTo(91);
        assertThat(code(engine.run("{count: 'c'}"))).isZero();

        fail("'off'", "{}");

        assertThat(code(engine.run(insert(1)))).isZero();
    }

    @Test
    void theConnectionIsClosedWithoutAnAnswer() {
        fail("{times: 1}", "{failCommands: ['insert'], closeConnection: true}");

        assertThat(engine.submit(insert(1)).isClosed()).isTrue();

        assertThat(n(engine.run("{count: 'c'}"))).isZero();
    }

    @Test
    void aWriteConcernErrorComesAfterTheWrite() {
        fail("{times: 1}", "{failCommands: ['insert'], writeConcernError: {code: 91, errmsg: 'no'}}");

        BsonDocument reply = engine.run(insert(1));

        assertThat(n(reply)).isEqualTo(1);
        assertThat(code(reply.getDocument("writeConcernError"))).isEqualTo(91);
        assertThat(labels(reply)).containsExactly("RetryableWriteError");
        assertThat(n(engine.run("{count: 'c'}"))).isEqualTo(1);
    }

    @Test
    void aCommandIsBlockedAndOthersAreNot() {
        fail("{times: 1}", "{failCommands: ['insert'], blockConnection: true, blockTimeMS: 1000}");

        Answer blocked = engine.submit(insert(1));
        assertThat(n(engine.run(insert(2).replace("'A'", "'B'")))).isEqualTo(1);
        engine.advance(Duration.ofMillis(999));
        assertThat(blocked.isPending()).isTrue();
        engine.advance(Duration.ofMillis(1));

        assertThat(n(blocked.reply())).isEqualTo(1);
    }

    @Test
    void labelsCanBeChosen() {
        fail("{times: 1}", "{failCommands: ['insert'], errorCode: 91, errorLabels: ['Mine']}");
        assertThat(labels(engine.run(insert(1)))).containsExactly("Mine");

        fail("{times: 1}", "{failCommands: ['insert'], errorCode: 91, errorLabels: []}");
        assertThat(labels(engine.run(insert(1)))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "10107, true",
        "13435, true",
        "13436, true",
        "11602, true",
        "11600, true",
        "189, true",
        "91, true",
        "112, false",
        "64, false"
    })
    void writeThatMayBeRepeatedIsLabelled(int code, boolean isLabelled) {
        fail("{times: 1}", "{failCommands: ['insert'], errorCode: " + code + "}");

        assertThat(labels(engine.run(insert(1)))).isEqualTo(isLabelled ? List.of("RetryableWriteError") : List.of());
    }

    @Test
    void duplicateKeyErrorWithoutItsKeyIsAnotherError() {
        fail("{times: 1}", "{failCommands: ['insert'], errorCode: 11000}");

        BsonDocument failed = engine.run(insert(1));

        assertThat(code(failed)).isEqualTo(40_671);
        assertThat(n(engine.run(insert(1)))).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 63, 91, 133, 189, 234, 262, 11_602})
    void changeStreamFailureBeforeTheCursorCheckoutHasNoLabel(int code) {
        BsonDocument stream = engine.run("{aggregate: 'c', pipeline: [{$changeStream: {}}], cursor: {}}");
        fail("{times: 1}", "{failCommands: ['getMore'], errorCode: " + code + "}");

        BsonDocument failed = engine.more(stream).reply();

        assertThat(code(failed)).isEqualTo(code);
        assertThat(labels(failed)).isEmpty();
    }

    @Test
    void oneCollectionCanBeMeant() {
        fail("'alwaysOn'", "{failCommands: ['find'], errorCode: 91, namespace: 'test.c'}");

        assertThat(code(engine.run("{find: 'c'}"))).isEqualTo(91);
        assertThat(code(engine.run("{find: 'd'}"))).isZero();
    }

    @Test
    void oneApplicationCanBeMeant() {
        engine.submitOn("mine", "{isMaster: 1, client: {application: {name: 'mine'}}}");
        fail("'alwaysOn'", "{failCommands: ['find'], errorCode: 91, appName: 'mine'}");

        assertThat(code(engine.submitOn("mine", "{find: 'c'}").reply())).isEqualTo(91);
        assertThat(code(engine.run("{find: 'c'}"))).isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{configureFailPoint: 'bogus', mode: 'off'} | 266",
                "{configureFailPoint: 'failCommand'} | 20",
                "{configureFailPoint: 'failCommand', mode: 'bogus'} | 2",
                "{configureFailPoint: 'failCommand', mode: {times: -1}} | 2",
                "{configureFailPoint: 'failCommand', mode: {times: 'x'}} | 14",
                "{configureFailPoint: 'failCommand', mode: 5} | 14",
                "{configureFailPoint: 'failCommand', mode: 'alwaysOn', data: 5} | 14",
                "{configureFailPoint: 'failCommand', mode: 'alwaysOn', data: {threadName: 'x'}} | 238",
                "{configureFailPoint: 'onPrimaryTransactionalWrite', mode: 'alwaysOn', data: {x: 1}} | 238",
                "{configureFailPoint: 'hangDuringBatchInsert', mode: {times: 1}} | 238",
                "{configureFailPoint: 'WTWriteConflictException', mode: {activationProbability: 0.5}} | 238",
            })
    void unsupportedFailPointIsRefused(String command, int code) {
        assertThat(code(engine.admin(command))).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(ints = {6, 91, 133, 189, 234, 11_602})
    void changeStreamFailureAfterTheCursorCheckoutIsLabelled(int code) {
        BsonDocument stream = engine.run("{aggregate: 'c', pipeline: [{$changeStream: {}}], cursor: {}}");
        set("failGetMoreAfterCursorCheckout", "{times: 1}", "{errorCode: " + code + ", namespace: 'test.c'}");

        BsonDocument failed = engine.more(stream).reply();

        assertThat(code(failed)).isEqualTo(code);
        assertThat(labels(failed)).containsExactly("ResumableChangeStreamError");
        assertThat(code(engine.more(stream).reply())).isEqualTo(43);
    }

    @Test
    void failureAfterTheCursorCheckoutIsAnInternalErrorByDefault() {
        engine.run(insert(1));
        engine.run(insert(2));
        BsonDocument first = engine.run("{find: 'c', batchSize: 1}");
        set("failGetMoreAfterCursorCheckout", "{times: 1}", "{appName: 'other'}");
        BsonDocument second = engine.more(first, "{batchSize: 1}").reply();
        assertThat(ids(second)).containsExactly("2");
        set("failGetMoreAfterCursorCheckout", "{times: 1}", "{}");

        BsonDocument failed = engine.more(first).reply();

        assertThat(code(failed)).isEqualTo(1);
        assertThat(labels(failed)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{insert: 'c', documents: [{_id: 2}]",
                "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 1}}}]",
                "{update: 'c', updates: [{q: {_id: 2}, u: {$set: {x: 1}}, upsert: true}]",
                "{delete: 'c', deletes: [{q: {_id: 1}, limit: 1}]",
                "{findAndModify: 'c', query: {_id: 1}, remove: true",
            })
    void writeIsUndoneBeforeItIsSeen(String write) {
        engine.run("{insert: 'c', documents: [{_id: 1, x: 0}]}");
        BsonDocument stream = engine.run("{aggregate: 'c', pipeline: [{$changeStream: {}}], cursor: {}}");
        String numbered = write + ", lsid: 'A', txnNumber: NumberLong(9)}";
        set("onPrimaryTransactionalWrite", "{times: 1}", "{closeConnection: false, failBeforeCommitExceptionCode: 1}");

        BsonDocument failed = engine.run(numbered);

        assertThat(code(failed) + writeErrorCode(failed)).isEqualTo(1);
        assertThat(batch(engine.run("{find: 'c'}"))).containsExactly(BsonDocument.parse("{_id: 1, x: 0}"));
        assertThat(engine.more(stream).isPending()).isTrue();
        assertThat(code(engine.run(numbered))).isZero();
        assertThat(batch(engine.run("{find: 'c'}"))).isNotEqualTo(List.of(BsonDocument.parse("{_id: 1, x: 0}")));
    }

    @Test
    void oneStatementIsUndoneAndTheOthersStay() {
        String insert = "{insert: 'c', documents: [{_id: 1}, {_id: 2}], lsid: 'A', txnNumber: NumberLong(1)}";
        set("onPrimaryTransactionalWrite", "{skip: 1}", "{closeConnection: false, failBeforeCommitExceptionCode: 1}");

        BsonDocument failed = engine.run(insert);

        assertThat(n(failed)).isEqualTo(1);
        assertThat(writeErrorCode(failed)).isEqualTo(1);
        set("onPrimaryTransactionalWrite", "'off'", "{}");
        assertThat(n(engine.run(insert))).isEqualTo(2);
        assertThat(n(engine.run("{count: 'c'}"))).isEqualTo(2);
    }

    @Test
    void failPointOfWritesClosesTheConnectionByDefault() {
        set("onPrimaryTransactionalWrite", "{times: 1}", "{failBeforeCommitExceptionCode: 1}");
        assertThat(engine.submit(insert(1)).isClosed()).isTrue();
        assertThat(n(engine.run("{count: 'c'}"))).isZero();

        set("onPrimaryTransactionalWrite", "{times: 1}", "{}");
        assertThat(engine.submit(insert(1)).isClosed()).isTrue();
        assertThat(n(engine.run("{count: 'c'}"))).isEqualTo(1);
    }

    @Test
    void commandsWithATimeLimitTimeOut() {
        set("maxTimeAlwaysTimeOut", "'alwaysOn'", "{}");

        assertThat(code(engine.run("{find: 'c', maxTimeMS: 10000}"))).isEqualTo(50);
        assertThat(code(engine.run("{find: 'c'}"))).isZero();
        set("maxTimeAlwaysTimeOut", "'off'", "{}");
        assertThat(code(engine.run("{find: 'c', maxTimeMS: 10000}"))).isZero();
    }

    @Test
    void transactionFailsWithAWriteConflict() {
        set("WTWriteConflictException", "{times: 1}", "{}");

        BsonDocument failed = new TestTransaction(engine, "A", 1).run("{insert: 'c', documents: [{_id: 1}]}");

        assertThat(code(failed)).isEqualTo(112);
        assertThat(labels(failed)).containsExactly("TransientTransactionError");
        assertThat(code(new TestTransaction(engine, "A", 2).run("{insert: 'c', documents: [{_id: 1}]}")))
                .isZero();
    }

    @Test
    void writeOutsideOfTransactionsIsRepeatedUntilNoConflictOccurs() {
        set("WTWriteConflictException", "{times: 5}", "{}");
        assertThat(n(engine.run(insert(1)))).isEqualTo(1);

        set("WTWriteConflictException", "'alwaysOn'", "{}");
        Answer waiting = engine.submit(insert(2));
        assertThat(waiting.isPending()).isTrue();
        set("WTWriteConflictException", "'off'", "{}");

        assertThat(n(waiting.reply())).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hangDuringBatchInsert | {insert: 'c', documents: [{_id: 2}]}",
                "hangDuringBatchUpdate | {update: 'c', updates: [{q: {_id: 1}, u: {x: 1}}]}",
                "hangDuringBatchRemove | {delete: 'c', deletes: [{q: {_id: 1}, limit: 1}]}",
            })
    void writeHangsBeforeItDoesAnything(String name, String write) {
        engine.run("{insert: 'c', documents: [{_id: 1}]}");
        set(name, "'alwaysOn'", "{nss: 'test.c'}");

        Answer hanging = engine.submit(write);

        assertThat(hanging.isPending()).isTrue();
        assertThat(batch(engine.run("{find: 'c'}"))).containsExactly(BsonDocument.parse("{_id: 1}"));
        assertThat(n(engine.run("{insert: 'd', documents: [{_id: 1}]}"))).isEqualTo(1);
        set(name, "'off'", "{}");
        assertThat(n(hanging.reply())).isEqualTo(1);
    }

    private void set(String name, String mode, String data) {
        assertThat(code(engine.admin("{configureFailPoint: '" + name + "', mode: " + mode + ", data: " + data + "}")))
                .isZero();
    }

    private void fail(String mode, String data) {
        assertThat(code(engine.admin("{configureFailPoint: 'failCommand', mode: " + mode + ", data: " + data + "}")))
                .isZero();
    }

    private static String insert(int id) {
        return "{insert: 'c', documents: [{_id: %d}], lsid: 'A', txnNumber: {$numberLong: '%d'}}".formatted(id, id);
    }
}
