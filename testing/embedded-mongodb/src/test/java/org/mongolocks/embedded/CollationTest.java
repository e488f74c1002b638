package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.ids;
import static org.mongolocks.embedded.support.Replies.n;
import static org.mongolocks.embedded.support.Replies.writeErrorCode;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.TestEngine;
import org.mongolocks.embedded.support.TestTransaction;

/** Collections, indexes and commands for which "Job" and "job" are the same. */
class CollationTest {
    private static final String IGNORING_CASE = "collation: {locale: 'en', strength: 2}";

    private final TestEngine engine = TestEngine.create();

    private void createIgnoringCase() {
        engine.run("{create: 'c', " + IGNORING_CASE + "}");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "strength: 1 | Job | jób | true",
                "strength: 1 | job 1 | job1 | false",
                "strength: 1 | job-1 | job1 | false",
                "strength: 1 | straße | STRASSE | true",
                "strength: 1, caseLevel: true | jób | job | true",
                "strength: 1, caseLevel: true | Job | job | false",
                "strength: 2 | Job | jOB | true",
                "strength: 2 | jób | job | false",
                "strength: 2 | e\u0301 | É | true",
                "strength: 2 | job2 | job٢ | true",
                "strength: 3 | Job | job | false",
                "strength: 3 | é | e\u0301 | true",
            })
    void aDefaultCollationDecidesWhichIdsAreTheSame(String options, String first, String second, boolean isSame) {
        engine.run("{create: 'c', collation: {locale: 'en', " + options + "}}");
        engine.run("{insert: 'c', documents: [{_id: '" + first + "'}]}");

        BsonDocument reply = engine.run("{insert: 'c', documents: [{_id: '" + second + "'}]}");

        assertThat(writeErrorCode(reply)).isEqualTo(isSame ? 11_000 : 0);
    }

    @Test
    void filtersUpsertsAndFindAndModifyUseTheDefaultCollation() {
        createIgnoringCase();
        engine.run("{insert: 'c', documents: [{_id: 'Job', owner: 'Ann', tags: ['Red']}]}");

        assertThat(ids(engine.run("{find: 'c', filter: {_id: 'jOB'}}"))).containsExactly("Job");
        assertThat(ids(engine.run("{find: 'c', filter: {owner: {$in: ['ANN']}}}")))
                .containsExactly("Job");
        assertThat(ids(engine.run("{find: 'c', filter: {$expr: {$eq: ['$owner', 'ann']}}}")))
                .containsExactly("Job");
        assertThat(ids(engine.run("{find: 'c', filter: {tags: 'red'}}"))).containsExactly("Job");
        assertThat(ids(engine.run("{find: 'c', filter: {_id: {$gte: 'JA', $lt: 'jz'}}}")))
                .containsExactly("Job");
        assertThat(n(engine.run("{update: 'c', updates: [{q: {_id: 'JOB'}, u: {$set: {x: 1}}, upsert: true}]}")))
                .isEqualTo(1);
        assertThat(engine.run("{findAndModify: 'c', query: {_id: 'joB', owner: 'ann'}, update: {$inc: {x: 1}},"
                                + " upsert: true, new: true}")
                        .getDocument("value")
                        .getString("_id")
                        .getValue())
                .isEqualTo("Job");
        assertThat(n(engine.run("{count: 'c'}"))).isEqualTo(1);
        assertThat(n(engine.run("{delete: 'c', deletes: [{q: {_id: 'job'}, limit: 1}]}")))
                .isEqualTo(1);
    }

    @Test
    void arrayOperatorsUseItToo() {
        createIgnoringCase();
        engine.run("{insert: 'c', documents: [{_id: 1, a: ['x', 'Y'], m: 'b'}]}");

        engine.run("{update: 'c', updates: [{q: {_id: 1}, u: {$addToSet: {a: 'X'}, $max: {m: 'A'}}}]}");
        engine.run("{update: 'c', updates: [{q: {_id: 1}, u: {$pull: {a: 'y'}}}]}");

        assertThat(batch(engine.run("{find: 'c'}"))).containsExactly(BsonDocument.parse("{_id: 1, a: ['x'], m: 'b'}"));
    }

    @Test
    void sortsGroupsAndDistinctUseIt() {
        createIgnoringCase();
        engine.run(
                "{insert: 'c', documents: [{_id: 1, s: 'b'}, {_id: 2, s: 'B'}, {_id: 3, s: 'a'}, {_id: 4, s: 'C'}]}");

        assertThat(ids(engine.run("{find: 'c', sort: {s: 1, _id: 1}}"))).containsExactly("3", "1", "2", "4");
        assertThat(engine.run("{distinct: 'c', key: 's'}").getArray("values")).hasSize(3);
        assertThat(batch(engine.run("{aggregate: 'c', pipeline: [{$group: {_id: '$s'}}], cursor: {}}")))
                .hasSize(3);
    }

    @Test
    void anOperationMayHaveAnotherCollation() {
        engine.run("{insert: 'plain', documents: [{_id: 'Job'}]}");
        createIgnoringCase();
        engine.run("{insert: 'c', documents: [{_id: 'Job'}]}");

        assertThat(ids(engine.run("{find: 'plain', filter: {_id: 'job'}}"))).isEmpty();
        assertThat(ids(engine.run("{find: 'plain', filter: {_id: 'job'}, " + IGNORING_CASE + "}")))
                .containsExactly("Job");
        assertThat(ids(engine.run("{find: 'c', filter: {_id: 'job'}, collation: {locale: 'simple'}}")))
                .isEmpty();
        assertThat(n(engine.run(
                        "{update: 'plain', updates: [{q: {_id: 'job'}, u: {$set: {x: 1}}, " + IGNORING_CASE + "}]}")))
                .isEqualTo(1);
        assertThat(n(engine.run("{delete: 'plain', deletes: [{q: {_id: 'job'}, limit: 1, " + IGNORING_CASE + "}]}")))
                .isEqualTo(1);
    }

    @Test
    void anIndexTakesTheDefaultCollationUnlessItHasItsOwn() {
        createIgnoringCase();
        engine.run("{createIndexes: 'c', indexes: ["
                + "{key: {a: 1}, name: 'a', unique: true, sparse: true},"
                + "{key: {b: 1}, name: 'b', unique: true, sparse: true, collation: {locale: 'simple'}}]}");

        engine.run("{insert: 'c', documents: [{_id: 1, a: 'x', b: 'x'}]}");

        assertThat(writeErrorCode(engine.run("{insert: 'c', documents: [{_id: 2, a: 'X'}]}")))
                .isEqualTo(11_000);
        assertThat(writeErrorCode(engine.run("{insert: 'c', documents: [{_id: 3, b: 'X'}]}")))
                .isZero();
        assertThat(ids(engine.run("{find: 'c', filter: {b: 'X'}, sort: {_id: 1}}")))
                .containsExactly("1", "3");
        assertThat(batch(engine.run("{listIndexes: 'c'}")))
                .extracting(index -> index.containsKey("collation"))
                .containsExactly(true, true, false);
    }

    @Test
    void listCollectionsShowsTheWholeCollation() {
        createIgnoringCase();

        BsonDocument shown = batch(engine.run("{listCollections: 1}")).get(0);

        BsonDocument complete = BsonDocument.parse("""
                {locale: 'en', caseLevel: false, caseFirst: 'off', strength: 2, numericOrdering: false,
                 alternate: 'non-ignorable', maxVariable: 'punct', normalization: false, backwards: false,
                 version: '57.1'}""");
        assertThat(shown.getDocument("options").getDocument("collation").toJson())
                .isEqualTo(complete.toJson());
        assertThat(shown.getDocument("idIndex").getDocument("collation").toJson())
                .isEqualTo(complete.toJson());
    }

    @Test
    void transactionsConflictOverTheSameId() {
        createIgnoringCase();
        TestTransaction first = new TestTransaction(engine, "A", 1);
        TestTransaction second = new TestTransaction(engine, "B", 1);
        first.run("{insert: 'c', documents: [{_id: 'Job'}]}");

        assertThat(code(second.run("{insert: 'c', documents: [{_id: 'job'}]}"))).isEqualTo(112);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{} | 2",
                "{locale: 'sv'} | 238",
                "{locale: 'en', numericOrdering: true} | 238",
                "{locale: 'en', alternate: 'shifted'} | 238",
                "{locale: 'en', backwards: true} | 238",
                "{locale: 'en', strength: 6} | 9",
                "{locale: 'en', bogus: 1} | 9",
                "{locale: 'simple', strength: 1} | 9",
                "{locale: 5} | 14",
            })
    void unsupportedCollationIsRefused(String collation, int code) {
        assertThat(code(engine.run("{create: 'c', collation: " + collation + "}")))
                .isEqualTo(code);
        assertThat(batch(engine.run("{listCollections: 1}"))).isEmpty();
    }
}
