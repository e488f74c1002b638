package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.embedded.support.TestEngine;

/** Missing features, each of which is refused by its name; options of collections are listed. */
class MissingFeaturesTest {
    private static final int NOT_IMPLEMENTED = 238;

    private final TestEngine engine = TestEngine.create();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{find: 'c', filter: {$jsonSchema: {required: ['owner']}}} | $jsonSchema",
                "{find: 'c', filter: {'l.x': 1}} | The path 'l.x' through an array",
                "{find: 'c', sort: {l: 1}} | An index or a sort by the array 'l'",
                "{find: 'c', collation: {locale: 'en'}} | The option 'collation'",
                "{update: 'c', updates: [{q: {}, u: {$set: {x: 1}}, collation: {locale: 'en'}}]} | The option 'collation'",
                "{update: 'c', updates: [{q: {}, u: {$set: {'l.0': 1}}}]} | The path 'l.0' through an array",
                "{insert: 'c', documents: [{_id: 3}], writeConcern: {w: 2}} | The write concern w: 2",
                "{insert: 'capped', documents: [{_id: 1}]} | Writing to a collection with the option 'capped'",
                "{update: 'collated', updates: [{q: {}, u: {x: 1}, upsert: true}]} | Writing to a collection with the option 'collation'",
                "{findAndModify: 'validated', update: {x: 1}, upsert: true} | Writing to a collection with the option 'validator'",
                "{find: 'view'} | Reading a view",
                "{distinct: 'c', key: 'x'} | distinct",
                "{aggregate: 'c', pipeline: [{$project: {r: {$divide: [4, 2]}}}], cursor: {}}"
                        + " | Invalid $project :: caused by :: $divide",
                "{aggregate: 'c', pipeline: [{$project: {r: {$toLong: 'x'}}}], cursor: {}}"
                        + " | A conversion of string to long",
                "{createIndexes: 'c', indexes: [{key: {l: 1}, name: 'l'}]}"
                        + " | Index build failed: test.c :: caused by :: An index or a sort by the array 'l'",
                "{createIndexes: 'c', indexes: [{key: {x: 1}, name: 'x', sparse: true}]} | The index option 'sparse'",
            })
    void itIsRefusedByName(String command, String feature) {
        createCollections();

        BsonDocument reply = engine.run(command);
        BsonDocument error = reply.containsKey("writeErrors")
                ? reply.getArray("writeErrors").get(0).asDocument()
                : reply;

        assertThat(code(error)).as(reply.toJson()).isEqualTo(NOT_IMPLEMENTED);
        assertThat(error.getString("errmsg").getValue())
                .isEqualTo(feature + " is not supported by the embedded server");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{find: 'c', collation: {locale: 'simple'}}",
                "{find: 'capped'}",
                "{delete: 'validated', deletes: [{q: {}, limit: 0}]}",
                "{createIndexes: 'validated', indexes: [{key: {x: 1}, name: 'x'}]}",
                "{drop: 'view'}",
            })
    void anythingElseIsExecuted(String command) {
        createCollections();

        assertThat(code(engine.run(command))).isZero();
    }

    @Test
    void optionsAreListedAsTheyWereGiven() {
        createCollections();

        assertThat(batch(engine.run("{listCollections: 1, filter: {name: {$ne: 'c'}}}")))
                .extracting(
                        listed -> listed.getString("name").getValue(),
                        listed -> listed.getString("type").getValue(),
                        listed -> listed.getDocument("options").toJson())
                .containsExactly(
                        tuple("capped", "collection", "{\"capped\": true, \"size\": 5}"),
                        tuple("collated", "collection", "{\"collation\": {\"locale\": \"en\"}}"),
                        tuple("validated", "collection", "{\"validator\": {\"x\": 1}}"),
                        tuple("view", "view", "{\"viewOn\": \"c\", \"pipeline\": []}"));
        assertThat(code(engine.run("{listIndexes: 'view'}"))).isEqualTo(166);
        assertThat(code(engine.run("{create: 'view'}"))).isEqualTo(48);
    }

    private void createCollections() {
        engine.run("{create: 'c', capped: false, validator: {}}");
        engine.run("{insert: 'c', documents: [{_id: 1, l: [{x: 1}]}, {_id: 2, l: [2]}]}");
        engine.run("{create: 'capped', capped: true, size: 5}");
        engine.run("{create: 'collated', collation: {locale: 'en'}}");
        engine.run("{create: 'validated', validator: {x: 1}}");
        engine.run("{create: 'view', viewOn: 'c', pipeline: []}");
    }
}
