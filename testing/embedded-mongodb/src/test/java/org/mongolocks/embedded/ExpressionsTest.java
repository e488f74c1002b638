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
                "{$toDate: {$numberLong: '1500'}} | {$date: '1970-01-01T00:00:01.500Z'}",
                "{$toDate: {$add: [{$toLong: {$date: 1000}}, 500]}} | {$date: 1500}",
                "{$toDate: {$toDate: {$numberDouble: '7'}}} | {$date: 7}",
                "{$toDate: '$missing'} | null",
                "{$toLong: '12'} | {$numberLong: '12'}",
                "{$toLong: 2.9} | {$numberLong: '2'}",
                "{$toLong: true} | {$numberLong: '1'}",
                "{$toString: {$date: 1500}} | \"1970-01-01T00:00:01.500Z\"",
                "{$toString: 2.50} | \"2.5\"",
                "{$type: '$missing'} | \"missing\"",
                "{$isArray: [[1]]} | true",
                "{$arrayElemAt: [[1, 2, 3], -1]} | 3",
                "{$indexOfArray: [[1, 2, 3], 3]} | 2",
                "{$indexOfArray: [[1, 2, 3], 1, 1]} | -1",
                "{$slice: [[1, 2, 3], -2]} | [2, 3]",
                "{$slice: [[1, 2, 3], 1, 1]} | [2]",
                "{$filter: {input: [1, 2, 3], cond: {$gt: ['$$this', 1]}}} | [2, 3]",
                "{$map: {input: [1, 2], as: 'x', in: {$multiply: ['$$x', 2]}}} | [2, 4]",
                "{$concatArrays: [[1], [], [2, [3]]]} | [1, 2, [3]]",
                "{$concatArrays: [[1], null]} | null",
                "{$concat: ['a', 'b']} | \"ab\"",
                "{$mergeObjects: [{a: 1}, null, {b: 2}]} | {a: 1, b: 2}",
                "{$let: {vars: {x: 2}, in: {$mod: [7, '$$x']}}} | 1",
                "{$divide: [1, 4]} | 0.25",
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
                "{$toDate: 5} | 241",
                "{$toLong: 'x'} | 241",
                "{$toLong: '9223372036854775808'} | 241",
                "{$toLong: [[1]]} | 241",
                "{$concatArrays: [5]} | 28664",
                "{$bogus: 1} | 168",
            })
    void aMistakeIsRefused(String expression, int code) {
        assertThat(code(project(expression))).isEqualTo(code);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{$toDate: '2020-01-02'}",
                "{$convert: {input: 1, to: 'long'}}",
                "{$dateToString: {date: '$$NOW'}}",
                "{$reduce: {input: [1], initialValue: 0, in: '$$value'}}",
                "{$objectToArray: {a: 1}}",
                "{$sum: [1, 2]}",
                "{$zip: {inputs: []}}",
            })
    void anOperatorThatOnlyARealServerHasIsNotImplemented(String expression) {
        assertThat(code(project(expression))).isEqualTo(238);
    }

    private BsonDocument project(String expression) {
        engine.run("{insert: 'c', documents: [{_id: 1}]}");
        return engine.run("{aggregate: 'c', pipeline: [{$project: {_id: 0, r: " + expression + "}}], cursor: {}}");
    }
}
