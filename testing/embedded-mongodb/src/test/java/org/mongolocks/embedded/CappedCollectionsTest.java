package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.ids;
import static org.mongolocks.embedded.support.Replies.n;
import static org.mongolocks.embedded.support.Replies.writeErrorCode;

import java.time.Duration;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.TestEngine;
import org.mongolocks.embedded.support.TestTransaction;

/** Capped collections lose their oldest documents, and take neither deletes nor updates that change a size. */
class CappedCollectionsTest {
    private final TestEngine engine = TestEngine.create();

    @Test
    void theOldestDocumentsGoWhenThereAreTooMany() {
        engine.run("{create: 'c', capped: true, size: 100000, max: 2}");

        engine.run("{insert: 'c', documents: [{_id: 3}, {_id: 1}, {_id: 2}]}");

        assertThat(ids(engine.run("{find: 'c'}"))).containsExactly("1", "2");
        assertThat(n(engine.run("{insert: 'c', documents: [{_id: 3}]}"))).isEqualTo(1);
    }

    @Test
    void theOldestDocumentsGoWhenTheyAreTooLarge() {
        engine.run("{create: 'c', capped: true, size: 4096}");
        String large = "x".repeat(1500);

        for (int id = 1; id <= 3; id++) {
            engine.run("{insert: 'c', documents: [{_id: " + id + ", x: '" + large + "'}]}");
        }

        assertThat(ids(engine.run("{find: 'c'}"))).containsExactly("2", "3");
    }

    @Test
    void aDocumentLargerThanTheCollectionIsRefused() {
        engine.run("{create: 'c', capped: true, size: 256}");

        BsonDocument reply = engine.run("{insert: 'c', documents: [{_id: 1, x: '" + "x".repeat(300) + "'}]}");

        assertThat(writeErrorCode(reply)).isEqualTo(2);
    }

    @Test
    void aDocumentKeepsItsSize() {
        engine.run("{create: 'c', capped: true, size: 4096}");
        engine.run("{insert: 'c', documents: [{_id: 1, x: 1}]}");

        assertThat(writeErrorCode(engine.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {y: 1}}}]}")))
                .isEqualTo(10_003);
        assertThat(code(engine.run("{findAndModify: 'c', query: {_id: 1}, update: {$unset: {x: 1}}}")))
                .isEqualTo(10_003);
        assertThat(writeErrorCode(engine.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 2}}}]}")))
                .isZero();
        assertThat(batch(engine.run("{find: 'c'}"))).containsExactly(BsonDocument.parse("{_id: 1, x: 2}"));
    }

    @Test
    void nothingIsDeleted() {
        engine.run("{create: 'c', capped: true, size: 4096}");
        engine.run("{createIndexes: 'c', indexes: [{key: {at: 1}, name: 'at', expireAfterSeconds: 0}]}");
        engine.run("{insert: 'c', documents: [{_id: 1, at: {$date: 0}}]}");

        assertThat(writeErrorCode(engine.run("{delete: 'c', deletes: [{q: {_id: 9}, limit: 1}]}")))
                .isEqualTo(20);
        assertThat(writeErrorCode(engine.run("{delete: 'c', deletes: [{q: {}, limit: 0}]}")))
                .isEqualTo(20);
        assertThat(code(engine.run("{findAndModify: 'c', query: {_id: 1}, remove: true}")))
                .isEqualTo(20);
        engine.advance(Duration.ofMinutes(2));
        assertThat(ids(engine.run("{find: 'c'}"))).containsExactly("1");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{insert: 'c', documents: [{_id: 2}]}",
                "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 2}}}]}",
                "{update: 'c', updates: [{q: {_id: 2}, u: {$set: {x: 2}}, upsert: true}]}",
            })
    void aTransactionDoesNotWriteToIt(String write) {
        engine.run("{create: 'c', capped: true, size: 4096}");
        engine.run("{insert: 'c', documents: [{_id: 1, x: 1}]}");
        TestTransaction transaction = new TestTransaction(engine, "A", 1);
        assertThat(ids(transaction.run("{find: 'c'}"))).containsExactly("1");

        assertThat(writeErrorCode(transaction.run(write))).isEqualTo(263);
    }

    @Test
    void listCollectionsShowsItsBounds() {
        engine.run("{create: 'c', capped: true, size: 5000, max: 7}");

        assertThat(batch(engine.run("{listCollections: 1}")).get(0).getDocument("options"))
                .isEqualTo(BsonDocument.parse("{capped: true, size: {$numberLong: '5120'}, max: {$numberLong: '7'}}"));
        assertThat(code(engine.run("{create: 'd', capped: true}"))).isEqualTo(72);
        assertThat(code(engine.run("{find: 'c', tailable: true}"))).isEqualTo(238);
    }
}
