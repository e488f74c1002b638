package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.writeErrorCode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.TestEngine;

/** Unique and compound indexes, and which of them get in each other's way. */
class IndexRulesTest {
    private static final int DUPLICATE = 11_000;

    private final TestEngine engine = TestEngine.create();

    @Test
    void aCompoundKeyIsUniqueAsAWhole() {
        index("{key: {a: 1, b: -1}, name: 'ab', unique: true}");

        assertThat(insert("{_id: 1, a: 1, b: 1}")).isZero();
        assertThat(insert("{_id: 2, a: 1, b: 2}")).isZero();
        assertThat(insert("{_id: 3, a: 1, b: 1}")).isEqualTo(DUPLICATE);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{key: {a: 1}, name: 'a'} | 0",
                "{key: {a: 1.0}, name: 'a'} | 0",
                "{key: {_id: 1.0}, name: 'id'} | 0",
                "{key: {_id: -1}, name: 'id'} | 2",
                "{key: {a: 1}, name: 'other'} | 85",
                "{key: {a: 1}, name: 'a', unique: true} | 85",
                "{key: {b: 1}, name: 'a'} | 86",
                "{key: {t: 1}, name: 't', expireAfterSeconds: 20} | 85",
                "{key: {}, name: 'x'} | 67",
                "{key: {x: 0}, name: 'x'} | 67",
                "{key: {x: 'bogus'}, name: 'x'} | 238",
                "{key: {x: 1}, name: ''} | 67",
                "{key: {x: 1, y: 1}, name: 'x', expireAfterSeconds: 1} | 67",
                "{key: {x: 1}, name: 'x', expireAfterSeconds: -1} | 67",
                "{key: {x: 1}, name: 'x', bogus: 1} | 238",
                "{key: {x: 1}} | 9",
                "{name: 'x'} | 9",
                "{key: {x: 'text'}, name: 'x'} | 238",
                "{key: {'$**': 1}, name: 'x'} | 67",
                "{key: {x: 1}, name: 'x', collation: {locale: 'sv'}} | 238",
                "{key: {x: 1}, name: 'x', partialFilterExpression: {x: 1}} | 238",
                "{key: {x: 1}, name: 'x', sparse: true} | 238",
                "{key: {'a.$b': 1}, name: 'x'} | 67",
                "{key: {a: 1}, name: 'x', expireAfterSeconds: 2147483647} | 67",
            })
    void anIndexThatCannotBeIsRefused(String index, int code) {
        index("{key: {a: 1}, name: 'a'}");
        index("{key: {t: 1}, name: 't', expireAfterSeconds: 10}");

        assertThat(code(engine.run("{createIndexes: 'c', indexes: [" + index + "]}")))
                .isEqualTo(code);
    }

    @Test
    void ofSeveralIndexesAllAreMadeOrNone() {
        assertThat(code(engine.run(
                        "{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a'}, {key: {b: 'bogus'}, name: 'b'}]}")))
                .isEqualTo(238);

        assertThat(code(engine.run("{listIndexes: 'c'}"))).isEqualTo(26);
    }

    private void index(String index) {
        assertThat(code(engine.run("{createIndexes: 'c', indexes: [" + index + "]}")))
                .isZero();
    }

    private int insert(String document) {
        return writeErrorCode(engine.run("{insert: 'c', documents: [" + document + "]}"));
    }
}
