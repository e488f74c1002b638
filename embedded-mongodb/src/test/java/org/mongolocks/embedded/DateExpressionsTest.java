package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;

import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.TestEngine;

/** Dates from texts and from parts, and the parts of dates. */
class DateExpressionsTest {
    private final TestEngine engine = TestEngine.create();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{$toDate: '2020-01-02'} | {$date: '2020-01-02T00:00:00Z'}",
                "{$toDate: '2020-01-02T03:04:05'} | {$date: '2020-01-02T03:04:05Z'}",
                "{$toDate: '2020-01-02T03:04:05.678Z'} | {$date: '2020-01-02T03:04:05.678Z'}",
                "{$toDate: '2020-01-02T03:04:05+0100'} | {$date: '2020-01-02T02:04:05Z'}",
                "{$dateFromString: {dateString: '2020-01-02T03:04:05Z'}} | {$date: '2020-01-02T03:04:05Z'}",
                "{$dateFromString: {dateString: '2020-01-02T03:04:05', timezone: 'Europe/Berlin'}} |"
                        + " {$date: '2020-01-02T02:04:05Z'}",
                "{$dateFromString: {dateString: 'x', onError: 5}} | 5",
                "{$dateFromString: {dateString: null, onNull: '$_id'}} | 1",
                "{$dateFromString: {dateString: '$missing'}} | null",
                "{$dateFromParts: {year: 2020}} | {$date: '2020-01-01T00:00:00Z'}",
                "{$dateFromParts: {year: 2020, month: 14, day: 0, hour: 25}} | {$date: '2021-02-01T01:00:00Z'}",
                "{$dateFromParts: {year: 2020, second: -1, millisecond: 1500}} | {$date: '2020-01-01T00:00:00.5Z'}",
                "{$dateFromParts: {isoWeekYear: 2020, isoWeek: 2}} | {$date: '2020-01-06T00:00:00Z'}",
                "{$dateFromParts: {year: 2020, timezone: '+01:00'}} | {$date: '2019-12-31T23:00:00Z'}",
                "{$dateFromParts: {year: 2020, day: null}} | null",
                "{$dateToParts: {date: {$toDate: '2020-01-02T03:04:05.678Z'}}} |"
                        + " {year: 2020, month: 1, day: 2, hour: 3, minute: 4, second: 5, millisecond: 678}",
                "{$dateToParts: {date: {$toDate: '2021-01-01'}, iso8601: true}} |"
                        + " {isoWeekYear: 2020, isoWeek: 53, isoDayOfWeek: 5, hour: 0, minute: 0, second: 0, millisecond: 0}",
                "{$dateToParts: {date: null}} | null",
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
                "{$toDate: '2020-13-02'} | 241",
                "{$dateFromString: {dateString: 5}} | 241",
                "{$dateFromString: {dateString: '2020-01-02T03:04:05Z', timezone: 'Europe/Berlin'}} | 241",
                "{$dateFromString: {dateString: '2020-01-02', timezone: 'Nowhere/Land'}} | 40485",
                "{$dateFromString: {}} | 40542",
                "{$dateFromString: {bogus: 1}} | 40541",
                "{$dateFromString: 5} | 40540",
                "{$dateFromParts: 5} | 40519",
                "{$dateFromParts: {bogus: 1}} | 40518",
                "{$dateFromParts: {month: 1}} | 40516",
                "{$dateFromParts: {year: 2020, isoWeek: 1}} | 40489",
                "{$dateFromParts: {isoWeekYear: 2020, month: 1}} | 40525",
                "{$dateFromParts: {year: 0}} | 40523",
                "{$dateFromParts: {isoWeekYear: 10000}} | 31095",
                "{$dateFromParts: {year: 2020.5}} | 40515",
                "{$dateFromParts: {year: 2020, month: 32768}} | 31034",
                "{$dateToParts: 5} | 40524",
                "{$dateToParts: {bogus: 1}} | 40520",
                "{$dateToParts: {}} | 40522",
                "{$dateToParts: {date: {$toDate: '2020-01-02'}, iso8601: 5}} | 40521",
            })
    void aMistakeIsRefused(String expression, int code) {
        assertThat(code(project(expression))).isEqualTo(code);
    }

    private BsonDocument project(String expression) {
        engine.run("{insert: 'c', documents: [{_id: 1}]}");
        return engine.run("{aggregate: 'c', pipeline: [{$project: {_id: 0, r: " + expression + "}}], cursor: {}}");
    }
}
