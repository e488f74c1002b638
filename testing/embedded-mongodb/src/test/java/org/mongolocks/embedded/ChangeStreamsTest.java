package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.batch;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.labels;

import java.util.List;
import org.bson.BsonDocument;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.mongolocks.embedded.support.Answer;
import org.mongolocks.embedded.support.TestEngine;
import org.mongolocks.embedded.support.TestTransaction;

/** Tests of change streams: events, waiting and resuming. */
class ChangeStreamsTest {
    private static final String WATCH = "{aggregate: 'c', pipeline: [{$changeStream: {}}], cursor: {}}";

    private final TestEngine engine = TestEngine.create();

    @BeforeEach
    void aCollection() {
        engine.run("{create: 'c'}");
    }

    @Test
    void aReaderWaitsForAnEvent() {
        BsonDocument stream = engine.run(WATCH);
        Answer waiting = engine.more(stream, "{maxTimeMS: 500}");
        engine.run("{insert: 'other', documents: [{_id: 1}]}");
        assertThat(waiting.isPending()).isTrue();

        engine.run("{insert: 'c', documents: [{_id: 1}]}");

        assertThat(kinds(waiting.reply())).containsExactly("insert");
    }

    @Test
    void aStreamGoesOnAfterAnEvent() {
        BsonDocument stream = engine.run(WATCH);
        engine.run("{insert: 'c', documents: [{_id: 1}, {_id: 2}, {_id: 3}]}");
        BsonDocument first =
                batch(engine.more(stream, "{batchSize: 1}").reply()).get(0);

        BsonDocument resumed =
                engine.submit("main", "test", resume("resumeAfter", first)).reply();

        assertThat(keys(resumed)).isEmpty();
        assertThat(keys(engine.more(resumed).reply())).containsExactly("{\"_id\": 2}", "{\"_id\": 3}");
    }

    @Test
    void afterAnInvalidateAStreamCanOnlyStartAgain() {
        BsonDocument stream = engine.run(WATCH);
        engine.run("{drop: 'c'}");
        BsonDocument last = batch(engine.more(stream).reply()).get(1);
        engine.run("{insert: 'c', documents: [{_id: 7}]}");

        assertThat(code(engine.submit("main", "test", resume("resumeAfter", last))
                        .reply()))
                .isEqualTo(260);
        BsonDocument restarted =
                engine.submit("main", "test", resume("startAfter", last)).reply();
        assertThat(keys(engine.more(restarted).reply())).containsExactly("{\"_id\": 7}");
    }

    @Test
    void aTokenOfAnotherCollectionIsNotFound() {
        BsonDocument other = engine.run(WATCH.replace("'c'", "'d'"));
        engine.run("{insert: 'd', documents: [{_id: 1}]}");
        BsonDocument token = batch(engine.more(other).reply()).get(0);
        BsonDocument stream =
                engine.submit("main", "test", resume("resumeAfter", token)).reply();

        engine.run("{insert: 'c', documents: [{_id: 1}]}");
        BsonDocument refused = engine.more(stream).reply();

        assertThat(code(refused)).isEqualTo(280);
        assertThat(labels(refused)).containsExactly("NonResumableChangeStreamError");
    }

    @Test
    void eventsOlderThanTheOplogAreLost() {
        TestEngine small = TestEngine.create(builder -> builder.oplogCapacity(3));
        BsonDocument stream = small.run(WATCH);
        small.run("{insert: 'c', documents: [{_id: 1}, {_id: 2}]}");
        BsonDocument first = batch(small.more(stream, "{batchSize: 1}").reply()).get(0);
        small.run("{insert: 'c', documents: [{_id: 3}, {_id: 4}, {_id: 5}]}");

        assertThat(code(small.more(stream).reply())).isEqualTo(286);
        assertThat(code(small.submit("main", "test", resume("resumeAfter", first))
                        .reply()))
                .isEqualTo(286);
    }

    @Test
    void theWritesOfATransactionAppearWhenItCommits() {
        Answer waiting = engine.more(engine.run(WATCH));
        TestTransaction transaction = new TestTransaction(engine, "A", 1);
        transaction.run("{insert: 'c', documents: [{_id: 1}]}");
        transaction.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 1}}}]}");
        assertThat(waiting.isPending()).isTrue();

        transaction.commit();

        assertThat(kinds(waiting.reply())).containsExactly("insert", "update");
        assertThat(batch(waiting.reply())).allSatisfy(event -> assertThat(event).containsKeys("lsid", "txnNumber"));
    }

    @Test
    void eventsCanBeFilteredAndReshapedButKeepTheirToken() {
        BsonDocument stream = engine.run("{aggregate: 'c', pipeline: [{$changeStream: {}},"
                + " {$match: {operationType: 'delete'}}, {$project: {documentKey: 1}}], cursor: {}}");
        BsonDocument broken =
                engine.run("{aggregate: 'c', pipeline: [{$changeStream: {}}, {$project: {_id: 0}}], cursor: {}}");
        engine.run("{insert: 'c', documents: [{_id: 1}]}");
        engine.run("{delete: 'c', deletes: [{q: {_id: 1}, limit: 1}]}");

        assertThat(batch(engine.more(stream).reply()).get(0).keySet()).containsExactly("_id", "documentKey");
        assertThat(code(engine.more(broken).reply())).isEqualTo(280);
    }

    private static BsonDocument resume(String option, BsonDocument event) {
        BsonDocument command = BsonDocument.parse(WATCH);
        command.getArray("pipeline")
                .get(0)
                .asDocument()
                .getDocument("$changeStream")
                .append(option, event.getDocument("_id"));
        return command;
    }

    private static List<String> kinds(BsonDocument reply) {
        return batch(reply).stream()
                .map(event -> event.getString("operationType").getValue())
                .toList();
    }

    private static List<String> keys(BsonDocument reply) {
        return batch(reply).stream()
                .map(event -> event.getDocument("documentKey").toJson())
                .toList();
    }
}
