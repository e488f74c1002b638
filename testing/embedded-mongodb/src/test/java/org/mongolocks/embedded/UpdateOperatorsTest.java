package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.writeErrorCode;

import java.time.Instant;
import java.util.List;
import org.bson.BsonArray;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.embedded.support.TestEngine;

/** Tests of the update operators: results and refusals. */
class UpdateOperatorsTest {
    private final TestEngine engine = TestEngine.create();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{n: 1} | {$inc: {n: 2}} | {n: 3}",
                "{n: 1} | {$inc: {n: {$numberLong: '2'}}} | {n: {$numberLong: '3'}}",
                "{n: 1} | {$inc: {n: 0.5}} | {n: 1.5}",
                "{n: 2147483647} | {$inc: {n: 1}} | {n: {$numberLong: '2147483648'}}",
                "{} | {$inc: {n: 2}} | {n: 2}",
                "{n: 3} | {$mul: {n: 2}} | {n: 6}",
                "{} | {$mul: {n: {$numberLong: '2'}}} | {n: {$numberLong: '0'}}",
                "{n: 3} | {$min: {n: 2}} | {n: 2}",
                "{n: 3} | {$max: {n: 2}} | {n: 3}",
                "{n: 3} | {$max: {n: 'text'}} | {n: 'text'}",
                "{a: 1} | {$set: {b: 2}} | {a: 1, b: 2}",
                "{} | {$set: {'a.b.c': 2}} | {a: {b: {c: 2}}}",
                "{} | {$set: {b: 1, a: 1}} | {a: 1, b: 1}",
                "{a: 1, b: 2} | {$unset: {a: ''}} | {b: 2}",
                "{a: 1} | {$rename: {a: 'b.c'}} | {b: {c: 1}}",
                "{a: 1} | {$setOnInsert: {b: 1}} | {a: 1}",
                "{a: [1]} | {$push: {a: 2}} | {a: [1, 2]}",
                "{} | {$push: {a: 2}} | {a: [2]}",
                "{a: [1, 2]} | {$push: {a: {$each: [3], $slice: -2}}} | {a: [2, 3]}",
                "{a: [1, 2]} | {$inc: {'a.$[]': 1}} | {a: [2, 3]}",
                "{a: [{k: 1}, {}]} | {$inc: {'a.$[].k': 1}} | {a: [{k: 2}, {k: 1}]}",
                "{a: 1, b: 2} | {c: 3} | {c: 3}",
                "{a: 1} | [{$set: {b: {$add: ['$a', 1]}}}, {$unset: 'a'}] | {b: 2}",
                "{a: 1} | [{$replaceWith: {b: '$a'}}] | {b: 1}",
                "{d: 1} | [{$set: {d: '$$NOW'}}] | {d: {$date: '2026-11-20T12:00:00Z'}}",
                "{} | {$currentDate: {d: true}} | {d: {$date: '2026-11-20T12:00:00Z'}}",
            })
    void aDocumentIsChanged(String before, String update, String after) {
        insert(before);

        BsonDocument reply =
                engine.run("{findAndModify: 'c', query: {_id: 1}, update: %s, new: true}".formatted(update));

        assertThat(reply.get("value")).as("%s", reply).isEqualTo(withId(after));
    }

    /** A date of MongoDB has milliseconds, so that a time which was read is the one that is stored. */
    @ParameterizedTest
    @ValueSource(strings = {"{$currentDate: {d: true}}", "[{$set: {d: '$$NOW'}}]"})
    void currentTimeIsStoredInMilliseconds(String update) {
        Instant fine = TestEngine.START.plusNanos(1_234_567);
        TestEngine server = TestEngine.create(setup -> setup.clock(() -> fine));
        server.run("{insert: 'c', documents: [{_id: 1}]}");
        server.run("{update: 'c', updates: [{q: {_id: 1}, u: %s}]}".formatted(update));

        assertThat(server.run("{count: 'c', query: {d: {$date: '2026-11-20T12:00:00.001Z'}}}"))
                .containsEntry("n", new BsonInt32(1));
    }

    @Test
    void elementsCanBeChosenByArrayFilters() {
        insert("{a: [{k: 1, v: 1}, {k: 2, v: 1}, {k: 3, v: 1}]}");

        BsonDocument reply = engine.run("{findAndModify: 'c', query: {_id: 1}, update: {$inc: {'a.$[big].v': 1}},"
                + " arrayFilters: [{'big.k': {$gte: 2}}], new: true}");

        assertThat(reply.get("value")).isEqualTo(withId("{a: [{k: 1, v: 1}, {k: 2, v: 2}, {k: 3, v: 2}]}"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{$bogus: {a: 1}} | 9",
                "{$set: {}} | 9",
                "{$set: 5} | 9",
                "{$set: {a: 1}, b: 1} | 9",
                "{a: 1, $set: {b: 1}} | 52",
                "{$set: {$a: 1}} | 52",
                "{$set: {'': 1}} | 56",
                "{$set: {'a..b': 1}} | 56",
                "{$set: {a: 1}, $inc: {a: 1}} | 40",
                "{$set: {a: 1}, $inc: {'a.b': 1}} | 40",
                "{$set: {_id: 2}} | 66",
                "{_id: 2} | 66",
                "[{$set: {_id: 2}}] | 66",
                "{$inc: {t: 1}} | 14",
                "{$inc: {a: 'x'}} | 14",
                "{$mul: {t: 1}} | 14",
                "{$set: {'t.x': 1}} | 28",
                "{$set: {'l.x': 1}} | 238",
                "{$push: {t: 1}} | 2",
                "{$set: {'l.$': 1}} | 238",
                "{$set: {'l.$[x]': 1}} | 2",
                "{$currentDate: {d: 5}} | 2",
                "{$rename: {t: 't'}} | 2",
                "{$bit: {t: {and: 1}}} | 238",
                "{$addToSet: {l: 1}} | 238",
                "{$pop: {l: 1}} | 238",
                "{$pull: {l: 1}} | 238",
                "{$push: {l: {$each: [1], $sort: 1}}} | 238",
                "{$push: {l: {$each: [1], $position: 0}}} | 238",
                "[{$match: {}}] | 72",
                "[{$bogus: 1}] | 40324",
                "5 | 9",
            })
    void aMistakeIsRefusedAndChangesNothing(String update, int code) {
        insert("{t: 'text', l: [1]}");

        assertThat(code(engine.run("{findAndModify: 'c', query: {_id: 1}, update: %s}".formatted(update))))
                .isEqualTo(code);

        assertThat(batch(engine.run("{find: 'c'}"))).containsExactly(withId("{t: 'text', l: [1]}"));
    }

    @Test
    void upsertStartsWithTheEqualitiesOfTheFilter() {
        BsonDocument reply =
                engine.run("{findAndModify: 'c', query: {_id: 1, a: 5, 'b.c': {$eq: 6}, d: {$gt: 7}, e: {$in: [8]},"
                        + " $and: [{f: 9}]}, update: {$inc: {n: 1}, $setOnInsert: {o: 1}}, upsert: true, new: true}");

        assertThat(reply.get("value")).isEqualTo(withId("{a: 5, b: {c: 6}, e: 8, f: 9, n: 1, o: 1}"));
    }

    @Test
    void aStatementThatFailsHalfwayIsNotCounted() {
        engine.run("{insert: 'c', documents: [{_id: 1, n: 1}, {_id: 2, n: 's'}, {_id: 3, n: 1}]}");

        BsonDocument reply = engine.run("{update: 'c', ordered: false, updates: ["
                + "{q: {}, u: {$inc: {n: 1}}, multi: true}, {q: {_id: 3}, u: {$inc: {n: 1}}}]}");

        assertThat(reply.getInt32("n").getValue()).isEqualTo(1);
        assertThat(reply.getInt32("nModified").getValue()).isEqualTo(1);
        assertThat(reply.getArray("writeErrors")).hasSize(1);
    }

    private void insert(String fields) {
        engine.submit(
                "main",
                "test",
                BsonDocument.parse("{insert: 'c'}").append("documents", new BsonArray(List.of(withId(fields)))));
    }

    private static BsonDocument withId(String fields) {
        BsonDocument document = BsonDocument.parse("{_id: 1}");
        document.putAll(BsonDocument.parse(fields));
        return document;
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{$and: [{x: 1}, {x: 1}]} | {y: 1} | 0",
                "{$and: [{x: 1}, {x: 2}]} | {y: 1} | 0",
                "{x: 1, 'x.y': 1} | {y: 1} | 0",
                "{$and: [{x: 1}, {x: 1}]} | {$set: {y: 1}} | 54",
                "{$and: [{_id: 1}, {_id: 1}]} | {y: 1} | 54",
            })
    void anUpsertThatReplacesTakesNothingButTheIdFromItsQuery(String query, String update, int code) {
        BsonDocument reply =
                engine.run("{update: 'arrays', updates: [{q: " + query + ", u: " + update + ", upsert: true}]}");

        assertThat(writeErrorCode(reply)).as(reply.toJson()).isEqualTo(code);
    }
}
