package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;

import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.embedded.support.TestEngine;

/** Tests of expressions, beside those in the recorded replies of a real server. */
class ExpressionsTest {
    private final TestEngine engine = TestEngine.create();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{$type: '$missing'} | \"missing\"",
                "{$isArray: [[1]]} | true",
                "{$indexOfArray: [[1, 2, 3], 3]} | 2",
                "{$slice: [[1, 2, 3], -2]} | [2, 3]",
                "{$slice: [[1, 2, 3], 1, 1]} | [2]",
                "{$filter: {input: [1, 2, 3], cond: {$gt: ['$$this', 1]}}} | [2, 3]",
                "{$concatArrays: [[1], [], [2, [3]]]} | [1, 2, [3]]",
                "{$concatArrays: [[1], null]} | null",
                "{$let: {vars: {x: 2}, in: {$multiply: [7, '$$x']}}} | 14",
                "{$concat: ['a', 'b']} | \"ab\"",
                "{$mergeObjects: [{a: 1}, null, {b: 2}]} | {a: 1, b: 2}",
                "{$max: [1, null, 3]} | 3",
                "{$min: [[4, 2]]} | 2",
            })
    void anExpressionHasAValue(String expression, String value) {
        BsonDocument reply = project(expression);

        assertThat(reply.getDocument("cursor")
                        .getArray("firstBatch")
                        .get(0)
                        .asDocument()
                        .get("r"))
                .as(reply.toJson())
                .isEqualTo(BsonDocument.parse("{r: " + value + "}").get("r"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{$toLong: 'x'} | 238",
                "{$concatArrays: [5]} | 28664",
                "{$bogus: 1} | 168",
            })
    void aMistakeIsRefused(String expression, int code) {
        assertThat(code(project(expression))).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$convert: {input: 1, to: 'long'}}",
                "{$dateToString: {date: '$$NOW'}}",
                "{$reduce: {input: [1], initialValue: 0, in: '$$value'}}",
                "{$objectToArray: {a: 1}}",
                "{$sum: [1, 2]}",
                "{$zip: {inputs: []}}",
                "{$divide: [4, 2]}",
                "{$map: {input: [1], in: '$$this'}}",
                "{$toDate: 1}",
            })
    void anOperatorThatOnlyARealServerHasIsNotImplemented(String expression) {
        assertThat(code(project(expression))).isEqualTo(238);
    }

    private BsonDocument project(String expression) {
        engine.run("{insert: 'c', documents: [{_id: 1}]}");
        return engine.run("{aggregate: 'c', pipeline: [{$project: {_id: 0, r: " + expression + "}}], cursor: {}}");
    }
}
