package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.n;

import org.bson.BsonDocument;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.TestEngine;

/** The events of updates since MongoDB 5.0, which logs the difference that an update makes. */
class UpdateEventsTest {
    private static final String PAD = "x".repeat(100);

    /**
     * Updates are listed before new fields, and these before what changed within; of the removed fields those at the end come
     * first. Within a small document or array the difference is not worth it.
     */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "n: 1 | {$set: {n: 2}} | {n: 2} | []",
                "a: {b: 1, c: 1} | {$set: {'a.b': 2}} | {a: {b: 2, c: 1}} | []",
                "a: {b: 1, c: 'long enough for a difference'} | {$set: {'a.b': 2}} | {'a.b': 2} | []",
                "a: {b: 1, c: 'long enough for a difference'} | {$unset: 'a.b'} | {} | ['a.b']",
                "a: {b: 1} | {$set: {a: 7}} | {a: 7} | []",
                "a: {x: 1, y: 'long enough for a difference'}, n: 1 | {$set: {'a.x': 2, n: 5, p: 1}} | {n: 5, p: 1, 'a.x': 2} | []",
                "w: [1, 2, 3] | {$set: {w: [1, 5, 3, 4]}} | {'w.1': 5, 'w.3': 4} | []",
                "w: [{a: 1}] | {$set: {w: [{a: 2}]}} | {w: [{a: 2}]} | []",
                "z: 1, y: 1, p: 1, b: 1, a: 1 | {$unset: ['z', 'y', 'b', 'a']} | {} | ['b', 'a', 'y', 'z']",
                "a: 1, b: 2 | {$replaceWith: {_id: 1, pad: '$pad', b: '$b', a: '$a'}} | {a: 1} | []",
            })
    void anUpdateByPipelineIsTheDifference(String fields, String stage, String updated, String removed) {
        BsonDocument event = eventOf("{_id: 1, pad: '" + PAD + "', " + fields + "}", "[" + stage + "]");

        assertThat(event.getString("operationType").getValue()).isEqualTo("update");
        assertThat(event.getDocument("updateDescription"))
                .hasToString(BsonDocument.parse(
                                "{updatedFields: " + updated + ", removedFields: " + removed + ", truncatedArrays: []}")
                        .toString());
    }

    /** The difference and what the log adds are 35 bytes here, the document as many and one more. */
    @ParameterizedTest
    @CsvSource({"6, replace", "7, update"})
    void aDifferenceThatIsNotSmallerThanTheDocumentIsAReplacement(int length, String kind) {
        String document = "{_id: 1, n: 1, p: '" + "x".repeat(length) + "'}";

        assertThat(eventOf(document, "[{$set: {n: 2}}]")
                        .getString("operationType")
                        .getValue())
                .isEqualTo(kind);
    }

    @ParameterizedTest
    @CsvSource({"4.4, false", "5.0, false", "7.0, true", "8.0, true", "9.0, true"})
    void eventsHaveTheTimeOfThePrimarySince6_0(String version, boolean hasTime) {
        TestEngine engine = TestEngine.create(builder -> builder.version(version));
        engine.run("{create: 'c'}");
        BsonDocument stream = engine.run("{aggregate: 'c', pipeline: [{$changeStream: {}}], cursor: {}}");
        engine.run("{insert: 'c', documents: [{_id: 1}]}");
        engine.run("{drop: 'c'}");

        assertThat(batch(engine.more(stream).reply()))
                .hasSize(3)
                .allSatisfy(event -> assertThat(event.isDateTime("wallTime")
                                && event.getDateTime("wallTime").getValue() == TestEngine.START.toEpochMilli())
                        .isEqualTo(hasTime));
    }

    private static BsonDocument eventOf(String document, String update) {
        TestEngine engine = TestEngine.create(builder -> builder.version("5.0"));
        engine.run("{insert: 'c', documents: [" + document + "]}");
        BsonDocument stream = engine.run("{aggregate: 'c', pipeline: [{$changeStream: {}}], cursor: {}}");
        assertThat(n(engine.run("{update: 'c', updates: [{q: {_id: 1}, u: " + update + "}]}")))
                .isOne();
        return batch(engine.more(stream).reply()).get(0);
    }
}
