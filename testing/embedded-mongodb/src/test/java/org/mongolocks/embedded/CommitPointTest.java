package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.ids;
import static org.mongolocks.embedded.support.Replies.n;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.embedded.support.Answer;
import org.mongolocks.embedded.support.TestEngine;

/** Tests of a primary whose last writes a majority does not have yet. */
class CommitPointTest {
    private static final String WATCH = "{aggregate: 'c', pipeline: [{$changeStream: {}}], cursor: {}}";
    private static final String MAJORITY = "readConcern: {level: 'majority'}";

    private final TestEngine engine = TestEngine.create();

    private void insert(String id) {
        engine.run("{insert: 'c', documents: [{_id: '" + id + "'}]}");
    }

    private void commitAll() {
        engine.engine().advanceMajority(engine.snapshot());
    }

    @Test
    void majorityReadsHideUncommittedWrites() {
        insert("kept");
        commitAll();
        insert("ambiguous");

        assertThat(ids(engine.run("{find: 'c'}"))).containsExactly("kept", "ambiguous");
        assertThat(ids(engine.run("{find: 'c', readConcern: {level: 'local'}}")))
                .containsExactly("kept", "ambiguous");
        assertThat(ids(engine.run("{find: 'c', " + MAJORITY + "}"))).containsExactly("kept");
        assertThat(n(engine.run("{count: 'c', " + MAJORITY + "}"))).isEqualTo(1);
        assertThat(ids(engine.run("{aggregate: 'c', pipeline: [], cursor: {}, " + MAJORITY + "}")))
                .containsExactly("kept");
    }

    @Test
    void theCommitPointAdvances() {
        commitAll();
        insert("first");
        assertThat(ids(engine.run("{find: 'c', " + MAJORITY + "}"))).isEmpty();

        commitAll();

        assertThat(ids(engine.run("{find: 'c', " + MAJORITY + "}"))).containsExactly("first");
    }

    @Test
    void withoutACommitPointAMajorityHasAll() {
        insert("first");

        assertThat(ids(engine.run("{find: 'c', " + MAJORITY + "}"))).containsExactly("first");
    }

    @Test
    void afterARestoreAMajorityHasAll() {
        EngineSnapshot before = engine.snapshot();
        commitAll();
        insert("lost");

        engine.engine().restore(before);
        insert("new");

        assertThat(ids(engine.run("{find: 'c', " + MAJORITY + "}"))).containsExactly("new");
    }

    @Test
    void aStreamShowsAWriteWhenAMajorityHasIt() {
        engine.run("{create: 'c'}");
        commitAll();
        BsonDocument stream = engine.run(WATCH);
        Answer waiting = engine.more(stream, "{maxTimeMS: 500}");
        insert("first");
        assertThat(waiting.isPending()).isTrue();

        commitAll();

        assertThat(batch(waiting.reply())).hasSize(1);
    }

    @Test
    void aStreamBehindARouterShowsAWriteWhenTheRouterMay() {
        engine.run("{create: 'c'}");
        engine.engine().advanceEvents(engine.snapshot());
        BsonDocument stream = engine.run(WATCH);
        Answer waiting = engine.more(stream, "{maxTimeMS: 500}");
        insert("first");
        assertThat(waiting.isPending()).isTrue();
        assertThat(ids(engine.run("{find: 'c', " + MAJORITY + "}"))).containsExactly("first");

        engine.engine().advanceEvents(engine.snapshot());

        assertThat(batch(waiting.reply())).hasSize(1);
    }

    @Test
    void aRouterShowsNoMoreThanAMajorityHas() {
        engine.run("{create: 'c'}");
        commitAll();
        BsonDocument stream = engine.run(WATCH);
        Answer waiting = engine.more(stream, "{maxTimeMS: 500}");
        insert("first");

        engine.engine().advanceEvents(engine.snapshot());

        assertThat(waiting.isPending()).isTrue();
    }

    @Test
    void routerSetsTheTimeOfAnExpression() {
        engine.run("{insert: 'c', documents: [{_id: 1}]}");

        BsonDocument reply = engine.run(
                "{findAndModify: 'c', query: {_id: 1}, update: [{$set: {at: '$$NOW'}}], new: true,"
                        + " runtimeConstants: {localNow: {$date: '2001-02-03T04:05:06Z'}, clusterTime: Timestamp(1, 1)}}");

        assertThat(reply.getDocument("value"))
                .isEqualTo(BsonDocument.parse("{_id: 1, at: {$date: '2001-02-03T04:05:06Z'}}"));
    }
}
