package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.labels;
import static org.mongolocks.embedded.support.Replies.n;

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

/** Errors, lost connections, write concern errors and delays on demand. */
class FailPointsTest {
    private final TestEngine engine = TestEngine.create();

    @BeforeEach
    void aCollection() {
        engine.run("{create: 'c'}");
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
    void aCommandIsBlockedAndOthersAreNot() {
        fail("{times: 1}", "{failCommands: ['insert'], blockConnection: true, blockTimeMS: 1000}");

        Answer blocked = engine.submit(insert(1));
        assertThat(n(engine.run(insert(2).replace("'A'", "'B'")))).isEqualTo(1);
        engine.advance(Duration.ofMillis(999));
        assertThat(blocked.isPending()).isTrue();
        engine.advance(Duration.ofMillis(1));

        assertThat(n(blocked.reply())).isEqualTo(1);
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
                "{configureFailPoint: 'failCommand', mode: 'bogus'} | 238",
                "{configureFailPoint: 'failCommand', mode: {times: -1}} | 238",
                "{configureFailPoint: 'failCommand', mode: 'alwaysOn', data: 5} | 14",
                "{configureFailPoint: 'failCommand', mode: 'alwaysOn', data: {threadName: 'x'}} | 238",
                "{configureFailPoint: 'failCommand', mode: {activationProbability: 0.5}} | 238",
                "{configureFailPoint: 'hangDuringBatchInsert', mode: 'alwaysOn'} | 266",
            })
    void unsupportedFailPointIsRefused(String command, int code) {
        assertThat(code(engine.admin(command))).isEqualTo(code);
    }

    private void fail(String mode, String data) {
        assertThat(code(engine.admin("{configureFailPoint: 'failCommand', mode: " + mode + ", data: " + data + "}")))
                .isZero();
    }

    private static String insert(int id) {
        return "{insert: 'c', documents: [{_id: %d}], lsid: 'A', txnNumber: {$numberLong: '%d'}}".formatted(id, id);
    }
}
