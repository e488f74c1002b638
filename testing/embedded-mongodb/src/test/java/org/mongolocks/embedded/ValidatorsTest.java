package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.ids;
import static org.mongolocks.embedded.support.Replies.writeErrorCode;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.TestEngine;

/** A collection with a validator takes only documents that meet it. */
class ValidatorsTest {
    private static final int FAILURE = 121;

    private final TestEngine engine = TestEngine.create();

    @Test
    void everyWriteIsHeldToIt() {
        engine.run("{create: 'c', validator: {owner: {$exists: true}, $expr: {$gt: ['$n', 0]}}}");
        engine.run("{insert: 'c', documents: [{_id: 1, owner: 'a', n: 1}]}");

        assertThat(writeErrorCode(engine.run("{insert: 'c', documents: [{_id: 2}]}")))
                .isEqualTo(FAILURE);
        assertThat(writeErrorCode(engine.run("{update: 'c', updates: [{q: {_id: 1}, u: {$unset: {owner: 1}}}]}")))
                .isEqualTo(FAILURE);
        assertThat(writeErrorCode(
                        engine.run("{update: 'c', updates: [{q: {_id: 3}, u: {$set: {n: 1}}, upsert: true}]}")))
                .isEqualTo(FAILURE);
        assertThat(code(engine.run("{findAndModify: 'c', query: {_id: 1}, update: {$set: {n: 0}}}")))
                .isEqualTo(FAILURE);
        assertThat(batch(engine.run("{find: 'c'}"))).containsExactly(BsonDocument.parse("{_id: 1, owner: 'a', n: 1}"));
    }

    @Test
    void aCommandMayBypassIt() {
        engine.run("{create: 'c', validator: {owner: {$exists: true}}}");

        engine.run("{insert: 'c', documents: [{_id: 1}], bypassDocumentValidation: true}");
        engine.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 1}}}], bypassDocumentValidation: true}");
        engine.run("{findAndModify: 'c', query: {_id: 1}, update: {$set: {y: 1}}, bypassDocumentValidation: true}");

        assertThat(batch(engine.run("{find: 'c'}"))).containsExactly(BsonDocument.parse("{_id: 1, x: 1, y: 1}"));
    }

    @ParameterizedTest
    @CsvSource({"strict, error, 121, 121", "moderate, error, 0, 121", "off, error, 0, 0", "strict, warn, 0, 0"})
    void validationLevelAndActionApplyToInvalidDocuments(String level, String action, int ofWrong, int ofRight) {
        engine.run("{insert: 'c', documents: [{_id: 'wrong'}, {_id: 'right', owner: 'a'}]}");
        engine.run("{collMod: 'c', validator: {owner: {$exists: true}}, validationLevel: '" + level
                + "', validationAction: '" + action + "'}");

        assertThat(writeErrorCode(engine.run("{update: 'c', updates: [{q: {_id: 'wrong'}, u: {$set: {x: 1}}}]}")))
                .isEqualTo(ofWrong);
        assertThat(writeErrorCode(engine.run("{update: 'c', updates: [{q: {_id: 'right'}, u: {$unset: {owner: 1}}}]}")))
                .isEqualTo(ofRight);
    }

    @Test
    void collModReplacesOrRemovesIt() {
        engine.run("{create: 'c', validator: {a: 1}, validationLevel: 'moderate'}");

        engine.run("{collMod: 'c', validator: {b: 1}}");
        assertThat(batch(engine.run("{listCollections: 1}")).get(0).getDocument("options"))
                .isEqualTo(BsonDocument.parse("{validator: {b: 1}, validationLevel: 'moderate'}"));

        engine.run("{collMod: 'c', validator: {}}");
        assertThat(writeErrorCode(engine.run("{insert: 'c', documents: [{_id: 1}]}")))
                .isZero();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{required: ['owner']} | {owner: null} | {other: 1}",
                "{properties: {n: {bsonType: 'long'}}} | {} | {n: 1}",
                "{properties: {n: {bsonType: ['int', 'double']}}} | {n: 1.5} | {n: 'x'}",
                "{properties: {n: {type: 'number', minimum: 1, maximum: 3}}} | {n: 3} | {n: 4}",
                "{properties: {n: {minimum: 1, exclusiveMinimum: true}}} | {n: 2} | {n: 1}",
                "{properties: {n: {minimum: 1}}} | {n: 'not a number'} | {n: 0}",
                "{properties: {s: {enum: ['a', null]}}} | {s: null} | {s: 'b'}",
                "{properties: {o: {required: ['x'], title: 't'}}} | {o: {x: 1}} | {o: {}}",
                "{bsonType: 'object', description: 'd', required: ['a']} | {a: 1} | {}",
            })
    void aSchemaIsAFilter(String schema, String meets, String fails) {
        engine.run("{create: 'c', validator: {$jsonSchema: " + schema + "}}");

        assertThat(writeErrorCode(engine.run("{insert: 'c', documents: [" + meets + "]}")))
                .isZero();
        assertThat(writeErrorCode(engine.run("{insert: 'c', documents: [" + fails + "]}")))
                .isEqualTo(FAILURE);
        assertThat(ids(engine.run("{find: 'c', filter: {$jsonSchema: " + schema + "}}")))
                .hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "validator: {$jsonSchema: {pattern: 'x'}} | 238",
                "validator: {$jsonSchema: {bogus: 1}} | 9",
                "validator: {$jsonSchema: {required: []}} | 9",
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
