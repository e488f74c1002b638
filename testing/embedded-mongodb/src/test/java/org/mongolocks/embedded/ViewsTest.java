package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.ids;
import static org.mongolocks.embedded.support.Replies.n;
import static org.mongolocks.embedded.support.Replies.writeErrorCode;

import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.embedded.support.TestEngine;

/** Tests of views, which are created, listed, changed and dropped, but not read. */
class ViewsTest {
    private static final int NOT_SUPPORTED_ON_VIEW = 166;

    private final TestEngine engine = TestEngine.create();

    @BeforeEach
    void aViewOfTheLargeDocuments() {
        engine.run("{insert: 'c', documents: [{_id: 1, x: 1}, {_id: 2, x: 2}, {_id: 3, x: 3}]}");
        engine.run("{create: 'v', viewOn: 'c', pipeline: [{$match: {x: {$gt: 1}}}, {$addFields: {y: '$x'}}]}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{insert: 'v', documents: [{_id: 9}]}",
                "{update: 'v', updates: [{q: {_id: 2}, u: {$set: {x: 9}}}]}",
                "{update: 'v', updates: [{q: {_id: 9}, u: {$set: {x: 9}}, upsert: true}]}",
                "{delete: 'v', deletes: [{q: {_id: 2}, limit: 1}]}",
            })
    void aWriteFails(String write) {
        assertThat(writeErrorCode(engine.run(write))).isEqualTo(NOT_SUPPORTED_ON_VIEW);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{findAndModify: 'v', query: {_id: 2}, update: {$set: {x: 9}}, upsert: true}",
                "{findAndModify: 'v', query: {_id: 2}, remove: true}",
                "{listIndexes: 'v'}",
                "{createIndexes: 'v', indexes: [{key: {a: 1}, name: 'a'}]}",
                "{dropIndexes: 'v', index: '*'}",
                "{aggregate: 'v', pipeline: [{$changeStream: {}}], cursor: {}}",
            })
    void aCommandOnACollectionFails(String command) {
        assertThat(code(engine.run(command))).isEqualTo(NOT_SUPPORTED_ON_VIEW);
    }

    @Test
    void listCollectionsShowsIt() {
        assertThat(batch(engine.run("{listCollections: 1, filter: {type: 'view'}}")))
                .containsExactly(BsonDocument.parse("""
                        {name: 'v', type: 'view', info: {readOnly: true},
                         options: {viewOn: 'c', pipeline: [{$match: {x: {$gt: 1}}}, {$addFields: {y: '$x'}}]}}"""));
        assertThat(batch(engine.run("{listCollections: 1, nameOnly: true}")))
                .extracting(collection -> collection.getString("name").getValue())
                .containsExactly("c", "system.views", "v");
    }

    @Test
    void itIsChangedAndDropped() {
        assertThat(code(engine.run("{collMod: 'v', viewOn: 'c', pipeline: [{$match: {x: 1}}]}")))
                .isZero();
        assertThat(batch(engine.run("{listCollections: 1, filter: {name: 'v'}}"))
                        .get(0)
                        .getDocument("options"))
                .isEqualTo(BsonDocument.parse("{viewOn: 'c', pipeline: [{$match: {x: 1}}]}"));

        assertThat(code(engine.run("{drop: 'v'}"))).isZero();

        assertThat(ids(engine.run("{find: 'v'}"))).isEmpty();
        assertThat(n(engine.run("{insert: 'v', documents: [{_id: 9}]}"))).isEqualTo(1);
    }

    @Test
    void itMayShowAnotherButNotItself() {
        assertThat(code(engine.run("{create: 'w', viewOn: 'v', pipeline: [{$match: {y: 3}}]}")))
                .isZero();

        assertThat(code(engine.run("{collMod: 'v', viewOn: 'w', pipeline: []}")))
                .isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{create: 'v'} | 48",
                "{create: 'c', viewOn: 'd'} | 48",
                "{create: 'w', viewOn: 'w'} | 5",
                "{create: 'w', pipeline: []} | 72",
                "{create: 'w', viewOn: 'c', capped: true, size: 1000} | 72",
                "{create: 'w', viewOn: 'c', pipeline: [{$bogus: 1}]} | 40324",
                "{create: 'w', viewOn: ''} | 73",
                "{create: 'w', viewOn: 'v', collation: {locale: 'en'}} | 167",
                "{collMod: 'v', viewOn: 'v', pipeline: []} | 5",
                "{collMod: 'v', index: {name: 'x', hidden: true}} | 72",
                "{collMod: 'c', viewOn: 'd', pipeline: []} | 72",
            })
    void invalidOptionsAreRefused(String command, int code) {
        assertThat(code(engine.run(command))).isEqualTo(code);
    }
}
