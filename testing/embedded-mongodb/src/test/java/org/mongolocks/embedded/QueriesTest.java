package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.ids;

import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.TestEngine;

/** Which documents a filter finds, in which order and in which shape. */
class QueriesTest {
    private final TestEngine engine = TestEngine.create();

    @BeforeEach
    void documentsOfAllKinds() {
        engine.run("""
                {insert: 'c', documents: [
                  {_id: 'int', v: 1}, {_id: 'double', v: 2.5}, {_id: 'long', v: {$numberLong: '3'}},
                  {_id: 'text', v: 'abc'}, {_id: 'null', v: null}, {_id: 'missing'}, {_id: 'true', v: true},
                  {_id: 'date', v: {$date: 0}}, {_id: 'array', v: [1, 5, [7]]}, {_id: 'empty', v: []},
                  {_id: 'object', v: {a: 1, b: [{c: 2}, {c: 3}]}}]}""");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{v: 1} | int array",
                "{v: {$numberDecimal: '1.0'}} | int array",
                "{v: {$gt: 1}} | double long array",
                "{v: {$gte: 1, $lt: 3}} | int double array",
                "{v: {$gt: 'a'}} | text",
                "{v: {$lt: {$date: 1}}} | date",
                "{v: null} | null missing",
                "{v: {$ne: null}} | int double long text true date array empty object",
                "{v: {$exists: true}} | int double long text null true date array empty object",
                "{v: {$exists: false}} | missing",
                "{v: {$in: [1, 'abc', null]}} | int text null missing array",
                "{v: {$nin: [1, null]}} | double long text true date empty object",
                "{v: {$regex: '^a'}} | text",
                "{v: []} | empty",
                "{v: [7]} | array",
                "{v: {$elemMatch: {$gt: 4}}} | array",
                "{v: {a: 1, b: [{c: 2}, {c: 3}]}} | object",
                "{v: {b: [{c: 2}, {c: 3}], a: 1}} | ''",
                "{$or: [{v: 1}, {_id: 'date'}]} | int date array",
                "{$nor: [{v: {$exists: true}}]} | missing",
                "{$and: [{v: {$gt: 1}}, {v: {$lt: 3}}]} | double array",
                "{$expr: {$eq: ['$v', true]}} | true",
                "{_id: {$gte: 'te'}} | text true",
            })
    void filterReturnsTheMatchingDocuments(String filter, String expected) {
        assertThat(ids(engine.run("{find: 'c', filter: " + filter + "}")))
                .containsExactlyInAnyOrder(expected.isEmpty() ? new String[0] : expected.split(" "));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{v: {$bogus: 1}} | 2",
                "{$bogus: 1} | 2",
                "{$or: []} | 2",
                "{$and: 5} | 2",
                "{v: {$in: 5}} | 2",
                "{v: {$in: [{$gt: 1}]}} | 2",
                "{v: {$regex: '('}} | 51091",
                "{v: {$gt: /a/}} | 238",
                "{$expr: {$bogus: 1}} | 168",
                "{$where: '1'} | 238",
                "{v: {$near: [1, 1]}} | 238",
                "{v: {$all: [1, 5]}} | 238",
                "{v: {$mod: [2, 1]}} | 238",
                "{v: {$bitsAllSet: 1}} | 238",
            })
    void aFilterThatMakesNoSenseIsRefused(String filter, int code) {
        assertThat(code(engine.run("{find: 'c', filter: " + filter + "}"))).isEqualTo(code);
    }

    @Test
    void valuesOfAllTypesHaveAnOrder() {
        engine.run("{delete: 'c', deletes: [{q: {_id: {$in: ['array', 'empty']}}, limit: 0}]}");

        assertThat(ids(engine.run("{find: 'c', sort: {v: 1, _id: 1}}")))
                .containsExactly("missing", "null", "int", "double", "long", "text", "object", "true", "date");
        assertThat(ids(engine.run("{find: 'c', sort: {v: -1, _id: 1}, limit: 3, skip: 1}")))
                .containsExactly("true", "object", "text");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{a: 1} | {_id: 1, a: {x: 1, y: 2}}",
                "{a: 1, _id: 0} | {a: {x: 1, y: 2}}",
                "{'a.x': 1} | {_id: 1, a: {x: 1}}",
                "{a: {x: 0}} | 238",
                "{a: 0, l: 0} | {_id: 1}",
                "{l: {$slice: -1}} | 238",
                "{a: {x: {$slice: [0, 1]}}} | 238",
                "{l: {$elemMatch: {$gt: 1}}} | 238",
                "{'l.$': 1} | 238",
                "{s: {$add: ['$a.x', '$a.y']}} | {_id: 1, s: 3}",
                "{a: 0, l: 1} | 31253",
                "{l: 1, a: 0} | 31254",
                "{'a.x': 1, a: 1} | 31249",
            })
    void aProjectionShapesTheResult(String projection, String expected) {
        engine.run("{insert: 'p', documents: [{_id: 1, a: {x: 1, y: 2}, l: [1, 2, 3]}]}");

        BsonDocument reply = engine.run("{find: 'p', projection: " + projection + "}");

        if (expected.startsWith("{")) {
            assertThat(batch(reply)).containsExactly(BsonDocument.parse(expected));
        } else {
            assertThat(code(reply)).isEqualTo(Integer.parseInt(expected));
        }
    }

    @Test
    void indexDoesNotChangeTheResult() {
        engine.run("{insert: 'i', documents: [{_id: 'x', v: 2}, {_id: 'y', v: 'a'}, {_id: 'z', v: 1}]}");
        engine.run("{createIndexes: 'i', indexes: [{key: {v: 1}, name: 'v'}]}");

        assertThat(ids(engine.run("{find: 'i', filter: {v: {$gte: 1}}}"))).containsExactlyInAnyOrder("x", "z");
        assertThat(ids(engine.run("{find: 'i', filter: {v: {$gte: 1}}, hint: 'v'}")))
                .containsExactlyInAnyOrder("x", "z");
        assertThat(code(engine.run("{find: 'i', hint: 'bogus'}"))).isEqualTo(2);
    }
}
