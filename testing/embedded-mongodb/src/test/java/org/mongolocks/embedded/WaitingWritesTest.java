package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.ids;
import static org.mongolocks.embedded.support.Replies.n;
import static org.mongolocks.embedded.support.Replies.writeErrorCode;

import java.time.Duration;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.embedded.support.Answer;
import org.mongolocks.embedded.support.TestEngine;
import org.mongolocks.embedded.support.TestTransaction;

/** Writes outside of transactions, and changes of collections, wait for the transactions that are in their way. */
class WaitingWritesTest {
    private final TestEngine engine = TestEngine.create();
    private final TestTransaction transaction = new TestTransaction(engine, "A", 1);

    @BeforeEach
    void anOpenTransactionThatHasWritten() {
        engine.run("{insert: 'c', documents: [{_id: 1, x: 1}, {_id: 2}]}");
        transaction.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 5}}}]}");
        transaction.run("{insert: 'c', documents: [{_id: 3}]}");
    }

    @Test
    void aWriteIsDoneWhenTheTransactionHasCommitted() {
        Answer waiting = engine.submit("{findAndModify: 'c', query: {_id: 1}, update: {$inc: {x: 1}}, new: true}");
        assertThat(waiting.isPending()).isTrue();

        transaction.commit();

        assertThat(waiting.reply().getDocument("value")).isEqualTo(BsonDocument.parse("{_id: 1, x: 6}"));
    }

    @Test
    void aWriteIsDoneWhenTheTransactionHasAborted() {
        Answer waiting = engine.submit("{findAndModify: 'c', query: {_id: 1}, update: {$inc: {x: 1}}, new: true}");

        transaction.abort();

        assertThat(waiting.reply().getDocument("value")).isEqualTo(BsonDocument.parse("{_id: 1, x: 2}"));
    }

    @Test
    void anInsertThatWaitedMayFindADuplicate() {
        Answer waiting = engine.submit("{insert: 'c', documents: [{_id: 3}]}");
        assertThat(waiting.isPending()).isTrue();

        transaction.commit();

        assertThat(writeErrorCode(waiting.reply())).isEqualTo(11_000);
    }

    @Test
    void upsertThatWaitedUpdatesTheInsertedDocument() {
        Answer waiting = engine.submit("{update: 'c', updates: [{q: {_id: 3}, u: {$set: {x: 7}}, upsert: true}]}");
        assertThat(waiting.isPending()).isTrue();

        transaction.commit();

        assertThat(waiting.reply()).doesNotContainKey("upserted");
        assertThat(n(waiting.reply())).isEqualTo(1);
        assertThat(ids(engine.run("{find: 'c', filter: {x: 7}}"))).containsExactly("3");
    }

    @Test
    void aBatchGoesOnWhereItHadToWait() {
        Answer waiting = engine.submit("{insert: 'c', documents: [{_id: 10}, {_id: 3}, {_id: 11}], ordered: false}");
        assertThat(ids(engine.run("{find: 'c', filter: {_id: {$gte: 10}}}"))).containsExactly("10");

        transaction.commit();

        assertThat(n(waiting.reply())).isEqualTo(2);
        assertThat(writeErrorCode(waiting.reply())).isEqualTo(11_000);
        assertThat(ids(engine.run("{find: 'c', filter: {_id: {$gte: 10}}}"))).containsExactly("10", "11");
    }

    @Test
    void aMultiUpdateChangesEachDocumentOnceThoughItHadToWait() {
        Answer waiting = engine.submit("{update: 'c', updates: [{q: {}, u: {$inc: {y: 1}}, multi: true}]}");
        assertThat(waiting.isPending()).isTrue();

        transaction.abort();

        assertThat(n(waiting.reply())).isEqualTo(2);
        assertThat(ids(engine.run("{find: 'c', filter: {y: 1}}"))).containsExactly("1", "2");
    }

    @Test
    void theyAreDoneInTheOrderInWhichTheyCame() {
        Answer first = engine.submit("{findAndModify: 'c', query: {_id: 1}, update: {$push: {l: 'first'}}}");
        Answer second =
                engine.submit("{findAndModify: 'c', query: {_id: 1}, update: {$push: {l: 'second'}}, new: true}");

        transaction.abort();

        assertThat(first.isPending()).isFalse();
        assertThat(second.reply().getDocument("value").getArray("l").toString()).matches(".*first.*second.*");
    }

    @Test
    void aDropWaitsForTransactionsThatUseTheCollection() {
        Answer drop = engine.submit("{drop: 'c'}");
        Answer impatient = engine.submit("{createIndexes: 'c', indexes: [{key: {x: 1}, name: 'x'}], maxTimeMS: 10}");
        engine.advance(Duration.ofMillis(10));
        assertThat(code(impatient.reply())).isEqualTo(50);
        assertThat(drop.isPending()).isTrue();

        transaction.commit();

        assertThat(code(drop.reply())).isZero();
        assertThat(ids(engine.run("{find: 'c'}"))).isEmpty();
    }

    @Test
    void aCollectionCreatedInATransactionIsWaitedFor() {
        TestTransaction creating = new TestTransaction(engine, "B", 1);
        creating.run("{insert: 'new', documents: [{_id: 1}]}");

        Answer waiting = engine.submit("{insert: 'new', documents: [{_id: 2}]}");
        assertThat(waiting.isPending()).isTrue();
        creating.commit();

        assertThat(n(waiting.reply())).isEqualTo(1);
        assertThat(ids(engine.run("{find: 'new'}"))).containsExactly("1", "2");
    }
}
