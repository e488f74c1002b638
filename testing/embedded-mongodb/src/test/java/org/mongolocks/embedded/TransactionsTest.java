package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.ids;
import static org.mongolocks.embedded.support.Replies.labels;
import static org.mongolocks.embedded.support.Replies.n;

import java.time.Duration;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.embedded.support.TestEngine;
import org.mongolocks.embedded.support.TestTransaction;

/** Snapshot reads, first writer wins, and how transactions end. */
class TransactionsTest {
    private static final int WRITE_CONFLICT = 112;
    private static final int NO_SUCH_TRANSACTION = 251;

    private final TestEngine engine = TestEngine.create();

    @BeforeEach
    void someDocuments() {
        engine.run("{insert: 'c', documents: [{_id: 1, x: 1}, {_id: 2, x: 2}]}");
    }

    @Test
    void readsSeeTheDataAsItWasWhenTheTransactionBegan() {
        TestTransaction reader = begin("A", 1);
        assertThat(ids(reader.run("{find: 'c', filter: {x: 1}}"))).containsExactly("1");

        engine.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 9}}}]}");
        engine.run("{delete: 'c', deletes: [{q: {_id: 2}, limit: 1}]}");
        engine.run("{insert: 'c', documents: [{_id: 3}]}");

        assertThat(ids(reader.run("{find: 'c'}"))).containsExactly("1", "2");
        assertThat(ids(reader.run("{find: 'c', filter: {x: 9}}"))).isEmpty();
    }

    @Test
    void twoTransactionsCannotUpsertTheSameId() {
        TestTransaction first = begin("A", 1);
        TestTransaction second = begin("B", 1);
        first.run("{update: 'c', updates: [{q: {_id: 3}, u: {$set: {x: 1}}, upsert: true}]}");

        assertThat(code(second.run("{update: 'c', updates: [{q: {_id: 3}, u: {$set: {x: 2}}, upsert: true}]}")))
                .isEqualTo(WRITE_CONFLICT);
    }

    @Test
    void uniqueKeysConflictAsWell() {
        engine.run("{createIndexes: 'k', indexes: [{key: {u: 1}, name: 'u', unique: true}]}");
        TestTransaction first = begin("A", 1);
        TestTransaction second = begin("B", 1);
        first.run("{insert: 'k', documents: [{_id: 10, u: 1}]}");

        assertThat(code(second.run("{insert: 'k', documents: [{_id: 11, u: 1}]}")))
                .isEqualTo(WRITE_CONFLICT);
    }

    @Test
    void aMalformedCommandLeavesTheTransactionOpen() {
        TestTransaction transaction = begin("A", 1);
        transaction.run("{insert: 'c', documents: [{_id: 3}]}");

        assertThat(code(transaction.run("{insert: 'c', documents: [{_id: 4}], bogus: 1}")))
                .isEqualTo(40_415);

        assertThat(code(transaction.commit())).isZero();
        assertThat(ids(engine.run("{find: 'c'}"))).containsExactly("1", "2", "3");
    }

    @Test
    void aTransactionThatIsOpenForTooLongIsAborted() {
        TestTransaction slow = begin("A", 1);
        slow.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 5}}}]}");

        engine.advance(Duration.ofSeconds(60));

        assertThat(code(slow.commit())).isEqualTo(NO_SUCH_TRANSACTION);
        assertThat(n(engine.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 6}}}]}")))
                .isEqualTo(1);
    }

    @Test
    void aCollectionThatIsNewerThanTheSnapshotCannotBeRead() {
        TestTransaction early = begin("A", 1);
        early.run("{find: 'c'}");
        engine.run("{create: 'd'}");

        BsonDocument refused = early.run("{find: 'd'}");

        assertThat(code(refused)).isEqualTo(246);
        assertThat(labels(refused)).containsExactly("TransientTransactionError");
    }

    @Test
    void aNewTransactionInASessionEndsTheOneBefore() {
        TestTransaction forgotten = begin("A", 1);
        forgotten.run("{insert: 'c', documents: [{_id: 3}]}");

        begin("A", 2).run("{find: 'c'}");

        assertThat(code(forgotten.run("{find: 'c'}"))).isEqualTo(225);
        assertThat(n(engine.run("{insert: 'c', documents: [{_id: 3}]}"))).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 5}}}]}",
                "{delete: 'c', deletes: [{q: {_id: 1}, limit: 1}]}",
                "{delete: 'c', deletes: [{q: {}, limit: 0}]}"
            })
    void aWriteDoesNotFindTheDocumentsOfACollectionThatWasDroppedMeanwhile(String write) {
        TestTransaction transaction = begin("A", 1);
        transaction.run("{find: 'other'}");
        engine.run("{drop: 'c'}");

        assertThat(n(transaction.run(write))).isZero();
        assertThat(ids(transaction.run("{find: 'c'}"))).isEmpty();
        assertThat(code(transaction.commit())).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"{drop: 'c'}", "{renameCollection: 'test.c', to: 'test.moved'}"})
    void anUpsertInsertsIntoANewCollectionIfTheOldOneIsGone(String removal) {
        TestTransaction transaction = begin("A", 1);
        transaction.run("{find: 'other'}");
        engine.submit("main", removal.startsWith("{drop") ? "test" : "admin", BsonDocument.parse(removal));

        BsonDocument upsert = transaction.run(
                "{findAndModify: 'c', query: {_id: 1}, update: {$inc: {x: 1}}, upsert: true, new: true}");

        assertThat(upsert.getDocument("value")).isEqualTo(BsonDocument.parse("{_id: 1, x: 1}"));
        assertThat(code(transaction.commit())).isZero();
        assertThat(ids(engine.run("{find: 'c'}"))).containsExactly("1");
    }

    @Test
    void aCollectionThatOthersCreatedMeanwhileCannotBeCreated() {
        TestTransaction transaction = begin("A", 1);
        transaction.run("{find: 'c'}");
        engine.run("{create: 'd'}");

        BsonDocument refused = transaction.run("{create: 'd'}");

        assertThat(code(refused)).isEqualTo(48);
        assertThat(labels(refused)).isEmpty();
    }

    @Test
    void ofTwoTransactionsThatCreateACollectionTheFirstToCommitWins() {
        TestTransaction first = begin("A", 1);
        TestTransaction second = begin("B", 1);
        first.run("{insert: 'd', documents: [{_id: 1}]}");
        second.run("{insert: 'd', documents: [{_id: 2}]}");

        assertThat(code(second.commit())).isZero();
        BsonDocument refused = first.commit();

        assertThat(code(refused)).isEqualTo(WRITE_CONFLICT);
        assertThat(labels(refused)).containsExactly("TransientTransactionError");
        assertThat(ids(engine.run("{find: 'd'}"))).containsExactly("2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{create: 'd'", "{createIndexes: 'd', indexes: [{key: {a: 1}, name: 'a'}]"})
    void aCollectionCannotBeMadeWithTheReadConcernSnapshot(String command) {
        BsonDocument refused = begin("A", 1).run(command + ", readConcern: {level: 'snapshot'}}");

        assertThat(code(refused)).isEqualTo(72);
    }

    @Test
    void anIndexCannotBeMadeWhereTheTransactionHasInserted() {
        TestTransaction transaction = begin("A", 1);
        transaction.run("{insert: 'd', documents: [{_id: 1}]}");

        BsonDocument refused = transaction.run("{createIndexes: 'd', indexes: [{key: {a: 1}, name: 'a'}]}");

        assertThat(code(refused)).isEqualTo(263);
    }

    private TestTransaction begin(String session, long number) {
        return new TestTransaction(engine, session, number);
    }
}
