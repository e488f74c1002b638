package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.ids;
import static org.mongolocks.embedded.support.Replies.n;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.embedded.support.Answer;
import org.mongolocks.embedded.support.TestEngine;

/** Going back to a snapshot, as after a failover that rolls writes back. */
class SnapshotTest {
    private static final String RETRYABLE = ", lsid: 'A', txnNumber: NumberLong(7)";
    private static final String OPEN = ", lsid: 'B', txnNumber: NumberLong(1), autocommit: false";

    private final TestEngine engine = TestEngine.create();

    @Test
    void theClockOfTheServerDoesNotGoBack() {
        BsonDocument before = engine.run("{insert: 'c', documents: [{_id: 1}]}");
        EngineSnapshot snapshot = engine.snapshot();
        BsonDocument lost = engine.run("{insert: 'c', documents: [{_id: 2}]}");

        engine.engine().restore(snapshot);
        BsonDocument after = engine.run("{insert: 'c', documents: [{_id: 3}]}");

        assertThat(lost.getTimestamp("operationTime")).isGreaterThan(before.getTimestamp("operationTime"));
        assertThat(after.getTimestamp("operationTime")).isGreaterThan(lost.getTimestamp("operationTime"));
    }

    @Test
    void retryIsRecognizedIfItsWriteIsInTheSnapshot() {
        engine.run("{insert: 'c', documents: [{_id: 1, n: 0}]}");
        String increment = "{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {n: 1}}}]" + RETRYABLE + "}";
        EngineSnapshot without = engine.snapshot();
        engine.run(increment);
        EngineSnapshot with = engine.snapshot();

        engine.engine().restore(with);
        engine.run(increment);
        assertThat(n(engine.run("{count: 'c', query: {n: 1}}"))).isEqualTo(1);

        engine.engine().restore(without);
        assertThat(n(engine.run("{count: 'c', query: {n: 0}}"))).isEqualTo(1);
        engine.run(increment);
        assertThat(n(engine.run("{count: 'c', query: {n: 1}}"))).isEqualTo(1);
    }

    @Test
    void anotherEngineGoesOnFromASnapshot() {
        engine.run("{insert: 'c', documents: [{_id: 'first'}, {_id: 'second'}]}");
        TestEngine other = TestEngine.create();
        other.run("{insert: 'c', documents: [{_id: 'gone'}]}");

        other.engine().restore(engine.snapshot());
        other.run("{insert: 'c', documents: [{_id: 'third'}]}");
        engine.run("{insert: 'c', documents: [{_id: 'apart'}]}");

        assertThat(ids(other.run("{find: 'c'}"))).containsExactly("first", "second", "third");
        assertThat(ids(engine.run("{find: 'c'}"))).containsExactly("first", "second", "apart");
    }

    @Test
    void openTransactionsAndWaitingCommandsAreInterrupted() {
        EngineSnapshot snapshot = engine.snapshot();
        engine.run("{insert: 'c', documents: [{_id: 1}]" + OPEN + ", startTransaction: true}");
        Answer waiting = engine.submitOn("other", "{insert: 'c', documents: [{_id: 1}]}");
        assertThat(waiting.isPending()).isTrue();

        engine.engine().restore(snapshot);

        assertThat(code(waiting.reply())).isEqualTo(11_602);
        assertThat(code(engine.admin("{commitTransaction: 1" + OPEN + "}"))).isEqualTo(251);
        assertThat(ids(engine.run("{find: 'c'}"))).isEmpty();
    }

    @Test
    void resumeKeepsOpenTransactionsAndTheirLocks() {
        engine.run("{insert: 'c', documents: [{_id: 1, n: 0}]}");
        engine.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {n: 1}}}]" + OPEN + ", startTransaction: true}");
        EngineSnapshot open = engine.snapshot();
        engine.admin("{commitTransaction: 1" + OPEN + "}");
        EngineSnapshot committed = engine.snapshot();

        engine.engine().resume(open);
        assertThat(n(engine.run("{count: 'c', query: {n: 0}}"))).isEqualTo(1);
        Answer blocked = engine.submitOn("other", "{update: 'c', updates: [{q: {_id: 1}, u: {$set: {n: 2}}}]}");
        assertThat(blocked.isPending()).isTrue();
        engine.admin("{abortTransaction: 1" + OPEN + "}");
        assertThat(n(engine.run("{count: 'c', query: {n: 2}}"))).isEqualTo(1);

        engine.engine().resume(committed);
        assertThat(n(engine.run("{count: 'c', query: {n: 1}}"))).isEqualTo(1);
        engine.engine().resume(open);
        engine.admin("{commitTransaction: 1" + OPEN + "}");
        assertThat(n(engine.run("{count: 'c', query: {n: 1}}"))).isEqualTo(1);
    }

    @Test
    void contentsAreEqualForEqualStatesOnly() {
        engine.run("{insert: 'c', documents: [{_id: 1, n: 0}]}");
        EngineSnapshot before = engine.snapshot();
        String increment = "{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {n: 1}}}]" + RETRYABLE + "}";
        engine.run(increment);
        String once = engine.snapshot().contents();
        engine.run(increment);

        assertThat(once).isNotEqualTo(before.contents());
        assertThat(engine.snapshot().contents()).isEqualTo(once);
        engine.engine().resume(before);
        assertThat(engine.snapshot().contents()).isEqualTo(before.contents());
        engine.run(increment);
        assertThat(engine.snapshot().contents()).isEqualTo(once);
    }
}
