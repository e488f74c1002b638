package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.TestEngine;

/** Tests of validators, which are listed and not applied. */
class ValidatorsTest {
    private final TestEngine engine = TestEngine.create();

    @Test
    void collModReplacesOrRemovesIt() {
        engine.run("{create: 'c', validator: {a: 1}, validationLevel: 'moderate'}");

        engine.run("{collMod: 'c', validator: {b: 1}}");
        assertThat(batch(engine.run("{listCollections: 1}")).get(0).getDocument("options"))
                .isEqualTo(BsonDocument.parse("{validator: {b: 1}, validationLevel: 'moderate'}"));

        engine.run("{collMod: 'c', validator: {$jsonSchema: {required: ['owner']}}}");
        assertThat(batch(engine.run("{listCollections: 1}")).get(0).getDocument("options"))
                .isEqualTo(BsonDocument.parse(
                        "{validator: {$jsonSchema: {required: ['owner']}}, validationLevel: 'moderate'}"));

        engine.run("{collMod: 'c', validator: {}}");
        assertThat(batch(engine.run("{listCollections: 1}")).get(0).getDocument("options"))
                .isEqualTo(BsonDocument.parse("{validationLevel: 'moderate'}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "validator: {$jsonSchema: 5} | 14",
                "validator: 5 | 14",
                "validator: {$bogus: 1} | 2",
                "validationLevel: 'bogus' | 2",
                "validationAction: 'bogus' | 2",
            })
    void invalidValidatorIsRefused(String options, int code) {
        assertThat(code(engine.run("{create: 'c', " + options + "}"))).isEqualTo(code);
    }
}
