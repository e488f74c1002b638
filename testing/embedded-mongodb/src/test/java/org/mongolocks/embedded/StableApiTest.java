package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.n;

import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.TestEngine;

/** Commands that declare the stable API; what was recorded of it is in the corpus. */
class StableApiTest {
    private static final String STRICT = "apiVersion: '1', apiStrict: true";
    private static final int MISMATCH = 347;

    private final TestEngine engine = TestEngine.create(builder -> builder.version("5.0"));

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "apiVersion: 1 | 14",
                "apiVersion: '1', apiStrict: 1 | 14",
                "apiVersion: '1', apiDeprecationErrors: 'no' | 14",
                "apiVersion: '3' | 322",
                "apiVersion: '' | 322",
                "apiStrict: false | 4886600",
                "apiDeprecationErrors: true | 4886600",
                "apiVersion: '1', apiDeprecationErrors: true | 0",
                "apiVersion: '1', apiStrict: false | 0",
            })
    void theFieldsAreChecked(String fields, int expected) {
        assertThat(code(engine.run("{insert: 'c', documents: [{_id: 1}], " + fields + "}")))
                .isEqualTo(expected);

        assertThat(n(engine.run("{count: 'c'}"))).isEqualTo(expected == 0 ? 1 : 0);
    }

    @ParameterizedTest
    @CsvSource({"5.0, 323", "7.0, 0", "8.0, 0", "9.0, 0"})
    void countIsInsideSince6_0(String version, int expected) {
        TestEngine other = TestEngine.create(builder -> builder.version(version));

        assertThat(code(other.run("{count: 'c', " + STRICT + "}"))).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {"find: 'c' | 9", "insert: 'c', documents: [{}] | 40415", "ping: 1 | 0", "hello: 1 | 0"})
    void before5_0TheFieldsAreUnknown(String command, int expected) {
        TestEngine older = TestEngine.create();

        assertThat(code(older.admin("{" + command + ", " + STRICT + "}"))).isEqualTo(expected);
    }

    @Test
    void aCursorIsReadWithWhatItWasMadeWith() {
        engine.run("{insert: 'c', documents: [{}, {}, {}]}");
        BsonDocument declared = engine.run("{find: 'c', batchSize: 1, " + STRICT + "}");
        BsonDocument usual = engine.run("{find: 'c', batchSize: 1}");

        assertThat(code(engine.more(declared).reply())).isEqualTo(MISMATCH);
        assertThat(code(engine.more(usual, "{apiVersion: '1'}").reply())).isEqualTo(MISMATCH);
        assertThat(code(engine.more(usual).reply())).isZero();
    }

    @Test
    void theCommandsOfATransactionDeclareTheSame() {
        engine.run("{create: 'c'}");
        String number = ", lsid: 'A', txnNumber: {$numberLong: '1'}, autocommit: false";
        engine.run("{insert: 'c', documents: [{_id: 1}], startTransaction: true, " + STRICT + number + "}");

        assertThat(code(engine.run("{insert: 'c', documents: [{_id: 2}]" + number + "}")))
                .isEqualTo(MISMATCH);
        assertThat(code(engine.run("{find: 'c', apiVersion: '1'" + number + "}")))
                .isEqualTo(MISMATCH);
        assertThat(code(engine.admin("{commitTransaction: 1" + number + "}"))).isEqualTo(MISMATCH);
        assertThat(code(engine.admin("{commitTransaction: 1, " + STRICT + number + "}")))
                .isZero();
        assertThat(engine.run("{count: 'c'}").get("n")).isEqualTo(new BsonInt32(1));
    }
}
