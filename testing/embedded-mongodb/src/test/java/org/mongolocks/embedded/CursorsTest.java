package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.cursor;
import static org.mongolocks.embedded.support.Replies.ids;

import java.time.Duration;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.embedded.support.Answer;
import org.mongolocks.embedded.support.TestEngine;
import org.mongolocks.embedded.support.TestTransaction;

/** Tests of cursors: batches, access and end. */
class CursorsTest {
    private final TestEngine engine = TestEngine.create();

    @BeforeEach
    void fiveDocuments() {
        engine.run("{insert: 'c', documents: [{_id: 1}, {_id: 2}, {_id: 3}, {_id: 4}, {_id: 5}]}");
    }

    @Test
    void cursorReturnsAllResultsInBatches() {
        BsonDocument first = engine.run("{find: 'c', batchSize: 2}");
        BsonDocument second = engine.more(first, "{batchSize: 2}").reply();
        BsonDocument third = engine.more(second).reply();

        assertThat(ids(first)).containsExactly("1", "2");
        assertThat(ids(second)).containsExactly("3", "4");
        assertThat(ids(third)).containsExactly("5");
        assertThat(cursor(first)).isNotZero().isEqualTo(cursor(second));
        assertThat(cursor(third)).isZero();
        assertThat(code(engine.more(first).reply())).isEqualTo(43);
    }

    @Test
    void aCursorIsKilledWhenItsIndexIsDropped() {
        engine.run("{createIndexes: 'c', indexes: [{key: {x: 1}, name: 'x'}]}");
        engine.run("{update: 'c', updates: [{q: {}, u: {$set: {x: 1}}, multi: true}]}");
        BsonDocument first = engine.run("{find: 'c', filter: {x: 1}, batchSize: 2}");
        engine.run("{dropIndexes: 'c', index: 'x'}");

        assertThat(code(engine.more(first).reply())).isEqualTo(175);
        assertThat(code(engine.more(first).reply())).isEqualTo(43);
    }

    @Test
    void aBatchIsNeverLargerThanAMessage() {
        String large = "x".repeat(6_000_000);
        for (int i = 10; i < 14; i++) {
            engine.run("{insert: 'l', documents: [{_id: %d, text: '%s'}]}".formatted(i, large));
        }

        BsonDocument first = engine.run("{find: 'l'}");

        assertThat(batch(first)).hasSize(2);
        assertThat(batch(engine.more(first).reply())).hasSize(2);
    }

    @Test
    void cursorReturnsNoDocumentTwiceDuringWrites() {
        BsonDocument first = engine.run("{find: 'c', batchSize: 2}");
        engine.run("{delete: 'c', deletes: [{q: {_id: 3}, limit: 1}]}");
        engine.run("{insert: 'c', documents: [{_id: 6}]}");

        assertThat(ids(engine.more(first).reply())).containsExactly("4", "5", "6");
    }

    @Test
    void aCursorOfADroppedCollectionFails() {
        BsonDocument first = engine.run("{find: 'c', batchSize: 2}");
        engine.run("{drop: 'c'}");

        assertThat(code(engine.more(first).reply())).isEqualTo(175);
    }

    @Test
    void unreadCursorIsClosedAfterTenMinutes() {
        BsonDocument idle = engine.run("{find: 'c', batchSize: 1}");
        engine.advance(Duration.ofMinutes(10));

        assertThat(code(engine.more(idle).reply())).isEqualTo(43);
    }

    @Test
    void cursorCanBeKilledDuringAWaitingGetMore() {
        BsonDocument stream = engine.run("{aggregate: 'c', pipeline: [{$changeStream: {}}], cursor: {}}");
        Answer waiting = engine.more(stream);
        assertThat(code(engine.more(stream).reply())).isEqualTo(143);

        BsonDocument killed = engine.run(
                "{killCursors: 'c', cursors: [{$numberLong: '%d'}, {$numberLong: '7'}]}".formatted(cursor(stream)));

        assertThat(killed.getArray("cursorsKilled")).hasSize(1);
        assertThat(killed.getArray("cursorsNotFound")).hasSize(1);
        assertThat(code(waiting.reply())).isEqualTo(237);
    }

    @Test
    void disconnectOfAWaitingClientClosesItsCursor() {
        BsonDocument stream = engine.run("{aggregate: 'c', pipeline: [{$changeStream: {}}], cursor: {}}");
        Answer waiting =
                engine.submitOn("leaving", "{getMore: {$numberLong: '%d'}, collection: 'c'}".formatted(cursor(stream)));

        engine.disconnect("leaving");

        assertThat(waiting.isPending()).isTrue();
        assertThat(code(engine.more(stream).reply())).isEqualTo(43);
    }

    @Test
    void aCursorBelongsToItsSession() {
        BsonDocument ofA = engine.run("{find: 'c', batchSize: 1, lsid: 'A'}");
        BsonDocument ofNobody = engine.run("{find: 'c', batchSize: 1}");

        assertThat(code(engine.more(ofA).reply())).isEqualTo(50_737);
        assertThat(code(engine.more(ofA, "{lsid: 'B'}").reply())).isEqualTo(50_738);
        assertThat(code(engine.more(ofNobody, "{lsid: 'B'}").reply())).isEqualTo(50_736);
        assertThat(code(engine.more(ofA, "{lsid: 'A'}").reply())).isZero();
    }

    @Test
    void aCursorOfATransactionEndsWithIt() {
        TestTransaction transaction = new TestTransaction(engine, "A", 1);
        BsonDocument first = transaction.run("{find: 'c', batchSize: 1}");
        assertThat(code(engine.more(first, "{lsid: 'A'}").reply())).isEqualTo(50_740);

        transaction.commit();

        assertThat(code(engine.more(first, "{lsid: 'A'}").reply())).isEqualTo(43);
    }
}
