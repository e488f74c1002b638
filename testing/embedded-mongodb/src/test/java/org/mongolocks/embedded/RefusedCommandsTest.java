package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.ids;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.TestEngine;

/** Commands of the wrong form: MongoDB's code for each, and nothing is written. */
class RefusedCommandsTest {
    private final TestEngine engine = TestEngine.create();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{insert: 'c', documents: []} | 16",
                "{insert: 'c', documents: 5} | 14",
                "{insert: 'c', documents: [5]} | 14",
                "{insert: 'c', documents: [{}], ordered: 'x'} | 14",
                "{insert: 'c', documents: [{}], bogus: 1} | 40415",
                "{insert: 5, documents: [{}]} | 73",
                "{insert: '', documents: [{}]} | 73",
                "{update: 'c'} | 40414",
                "{update: 'c', updates: [{q: {}}]} | 40414",
                "{update: 'c', updates: [{q: {}, u: 5}]} | 9",
                "{update: 'c', updates: [{q: {}, u: {a: 1}, upsert: 1}]} | 14",
                "{update: 'c', updates: [{q: {}, u: {a: 1}, bogus: 1}]} | 40415",
                "{delete: 'c', deletes: [{q: {}}]} | 40414",
                "{delete: 'c', deletes: [{q: {}, limit: 2}]} | 9",
                "{findAndModify: 'c', query: {}, update: {a: 1}, bogus: 1} | 51177",
                "{findAndModify: 'c', query: 5, update: {a: 1}} | 31160",
                "{findAndModify: 'c', query: {}, remove: true, new: true} | 9",
                "{findAndModify: 'c', update: [{$set: {a: 1}}], arrayFilters: [{x: 1}], upsert: true} | 9",
                "{findAndModify: 'c', update: [{$setOnInsert: {a: 1}}], upsert: true} | 40324",
            })
    void aWriteOfTheWrongForm(String command, int code) {
        assertRefused(command, code);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "writeConcern: 5 | 14",
                "writeConcern: {bogus: 1} | 9",
                "writeConcern: {w: -1} | 238",
                "writeConcern: {j: 'x'} | 9",
                "readConcern: {level: 'majority'} | 72",
                "maxTimeMS: -1 | 2",
                "maxTimeMS: 'x' | 2",
                "maxTimeMS: 0.5 | 2",
                "lsid: 5 | 14",
                "lsid: {} | 14",
                "txnNumber: NumberLong(1) | 72",
                "lsid: 'A', txnNumber: 1 | 14",
                "lsid: 'A', txnNumber: NumberLong(-1) | 72",
                "lsid: 'A', txnNumber: NumberLong(1), autocommit: true | 72",
                "lsid: 'A', txnNumber: NumberLong(1), startTransaction: true | 72",
                "lsid: 'A', txnNumber: NumberLong(1), autocommit: false, startTransaction: false | 72",
                "lsid: 'A', txnNumber: NumberLong(1), autocommit: false | 251",
                "lsid: 'A', txnNumber: NumberLong(1), autocommit: false, startTransaction: true, writeConcern: {w: 1} | 72",
            })
    void aWriteWithWrongOptions(String options, int code) {
        assertRefused("{insert: 'c', documents: [{}], " + options + "}", code);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{find: 'c', limit: -1} | 2",
                "{find: 'c', filter: 5} | 9",
                "{find: 'c', bogus: 1} | 9",
                "{find: 'c', filter: {$or: []}} | 2",
                "{find: 'c', filter: {a: {$in: 5}}} | 2",
                "{find: 'c', filter: {$expr: {$nope: 1}}} | 168",
                "{find: 'c', filter: {a: {$elemMatch: {$expr: {$eq: [1, 1]}}}}} | 2",
                "{findAndModify: 'c', query: {a: 1}, update: {$set: {b: 1}}, fields: {'a.$': 1}} | 238",
                "{createIndexes: 'c', indexes: [{key: {a: 1}, name: 'a'}], bogus: 1} | 2",
                "{find: 'c', writeConcern: {w: 1}} | 72",
                "{find: 'c', readConcern: {level: 'bogus'}} | 238",
                "{find: 'c', readConcern: {level: 'snapshot'}} | 72",
                "{find: 'c', lsid: 'A', txnNumber: NumberLong(1)} | 50768",
                "{aggregate: 'c', pipeline: []} | 9",
                "{aggregate: 'c', pipeline: 5, cursor: {}} | 14",
                "{aggregate: 'c', pipeline: [{$nope: 1}], cursor: {}} | 40324",
                "{aggregate: 'c', pipeline: [{$limit: 0}], cursor: {}} | 15958",
                "{getMore: NumberLong(5), collection: 'c'} | 43",
                "{getMore: 5, collection: 'c'} | 14",
                "{renameCollection: 'test.a', to: 'test.b'} | 13",
                "{listDatabases: 1} | 13",
            })
    void anythingElseOfTheWrongForm(String command, int code) {
        assertRefused(command, code);
    }

    @Test
    void clientMetadataIsAcceptedOnlyOnce() {
        String client = "client: {driver: {name: 'd', version: '1'}, os: {type: 'Linux'}}";

        assertThat(code(engine.submitOn("a", "{isMaster: 1, client: 5}").reply()))
                .isEqualTo(14);
        assertThat(code(engine.submitOn("b", "{isMaster: 1, " + client + "}").reply()))
                .isZero();
        assertThat(code(engine.submitOn("b", "{isMaster: 1}").reply())).isZero();
        assertThat(code(engine.submitOn("b", "{isMaster: 1, " + client + "}").reply()))
                .isEqualTo(186);
    }

    private void assertRefused(String command, int code) {
        BsonDocument reply = engine.run(command);

        assertThat(code(reply)).as(reply.toJson()).isEqualTo(code);
        assertThat(ids(engine.run("{find: 'c'}"))).isEmpty();
    }
}
