package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.embedded.support.TestEngine;
import org.mongolocks.embedded.support.TestTransaction;

/** Collections and indexes whose options this server lists but does not apply: what needs one is refused by name. */
class MissingFeaturesTest {
    private static final int NOT_IMPLEMENTED = 238;
    private static final String IGNORING_CASE = "collation: {locale: 'en', strength: 2}";

    private final TestEngine engine = TestEngine.create();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{find: 'c', filter: {$jsonSchema: {required: ['owner']}}} | $jsonSchema",
                "{aggregate: 'c', pipeline: [{$match: {$jsonSchema: {}}}], cursor: {}} | $jsonSchema",
                "{find: 'c', COLLATION} | Comparing strings by a collation",
                "{count: 'c', COLLATION} | Comparing strings by a collation",
                "{distinct: 'c', key: 'x', COLLATION} | Comparing strings by a collation",
                "{aggregate: 'c', pipeline: [], cursor: {}, COLLATION} | Comparing strings by a collation",
                "{update: 'c', updates: [{q: {}, u: {$set: {x: 1}}, COLLATION}]} | Comparing strings by a collation",
                "{delete: 'c', deletes: [{q: {}, limit: 1, COLLATION}]} | Comparing strings by a collation",
                "{findAndModify: 'c', remove: true, COLLATION} | Comparing strings by a collation",
                "{insert: 'collated', documents: [{_id: 1}]} | Comparing strings by a collation",
                "{findAndModify: 'collated', update: {x: 1}, upsert: true} | Comparing strings by a collation",
                "{insert: 'collatedIndex', documents: [{_id: 1}]} | Comparing strings by a collation",
                "{find: 'view'} | Reading a view",
                "{count: 'view'} | Reading a view",
                "{find: 'viewOfView'} | Reading a view",
                "{distinct: 'view', key: 'x'} | Reading a view",
                "{aggregate: 'view', pipeline: [], cursor: {}} | Reading a view",
                "{insert: 'capped', documents: [{_id: 1}]} | Writing to a capped collection",
                "{update: 'capped', updates: [{q: {}, u: {x: 1}, upsert: true}]} | Writing to a capped collection",
                "{find: 'capped', tailable: true} | The option 'tailable'",
                "{insert: 'validated', documents: [{_id: 1, owner: 'a'}]} | Writing to a collection with a validator",
                "{update: 'validated', updates: [{q: {}, u: {$set: {x: 2}}}]} | Writing to a collection with a validator",
                "{findAndModify: 'validated', update: {$set: {x: 2}}} | Writing to a collection with a validator",
                "{insert: 'partial', documents: [{_id: 1}]} | The filter of a partial index",
                "{update: 'partial', updates: [{q: {}, u: {x: 1}, upsert: true}]} | The filter of a partial index",
                "{findAndModify: 'partial', update: {x: 1}, upsert: true} | The filter of a partial index",
                "{createIndexes: 'c', indexes: [{key: {x: 1}, name: 'x', partialFilterExpression: {x: 1}}]}"
                        + " | Index build failed: test.c :: caused by :: The filter of a partial index",
                "{createIndexes: 'c', indexes: [{key: {x: 1}, name: 'x', COLLATION}]}"
                        + " | Index build failed: test.c :: caused by :: Comparing strings by a collation",
            })
    void commandsThatNeedAMissingFeatureAreRefused(String command, String feature) {
        createCollections();

        BsonDocument error = error(engine.run(command.replace("COLLATION", IGNORING_CASE)));

        assertThat(code(error)).isEqualTo(NOT_IMPLEMENTED);
        assertThat(error.getString("errmsg").getValue())
                .isEqualTo(feature + " is not supported by the embedded server");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{find: 'c', collation: {locale: 'simple'}}",
                "{update: 'partial', updates: [{q: {}, u: {$set: {x: 2}}}]}",
                "{find: 'partial', filter: {u: 1}}",
                "{find: 'capped'}",
                "{find: 'viewOfNothing'}",
                "{find: 'collated', filter: {_id: 'a'}}",
                "{find: 'validated'}",
                "{delete: 'validated', deletes: [{q: {}, limit: 0}]}",
                "{createIndexes: 'validated', indexes: [{key: {x: 1}, name: 'x'}]}",
            })
    void anythingElseIsExecuted(String command) {
        createCollections();

        assertThat(code(error(engine.run(command)))).isZero();
    }

    @Test
    void aTransactionIsRefusedToo() {
        createCollections();

        BsonDocument reply = new TestTransaction(engine, "A", 1).run("{insert: 'capped', documents: [{_id: 1}]}");

        assertThat(code(error(reply))).isEqualTo(NOT_IMPLEMENTED);
    }

    @Test
    void droppingWhatIsRefusedMakesACollectionUsable() {
        createCollections();

        engine.run("{collMod: 'validated', validator: {}}");
        engine.run("{dropIndexes: 'partial', index: 'u'}");

        assertThat(code(error(engine.run("{insert: 'validated', documents: [{_id: 2}]}"))))
                .isZero();
        assertThat(code(error(engine.run("{insert: 'partial', documents: [{_id: 1}]}"))))
                .isZero();
        assertThat(batch(engine.run("{find: 'validated'}"))).hasSize(2);
    }

    private void createCollections() {
        engine.run("{insert: 'c', documents: [{_id: 1}]}");
        engine.run("{create: 'collated', " + IGNORING_CASE + "}");
        engine.run("{createIndexes: 'collatedIndex', indexes: [{key: {x: 1}, name: 'x', " + IGNORING_CASE + "}]}");
        engine.run("{create: 'view', viewOn: 'c', pipeline: []}");
        engine.run("{create: 'viewOfView', viewOn: 'view', pipeline: []}");
        engine.run("{create: 'viewOfNothing', viewOn: 'nothing', pipeline: []}");
        engine.run("{create: 'capped', capped: true, size: 4096}");
        engine.run("{insert: 'validated', documents: [{_id: 1}]}");
        engine.run("{collMod: 'validated', validator: {owner: {$exists: true}}}");
        engine.run("{createIndexes: 'partial', indexes: [{key: {u: 1}, name: 'u', unique: true,"
                + " partialFilterExpression: {active: true}}]}");
    }

    // Of the command, or of its statement; a reply without an error is its own.
    private static BsonDocument error(BsonDocument reply) {
        return reply.containsKey("writeErrors")
                ? reply.getArray("writeErrors").get(0).asDocument()
                : reply;
    }
}
