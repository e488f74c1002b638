package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;

import java.time.Duration;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt64;
import org.bson.BsonValue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.mongolocks.embedded.support.Answer;
import org.mongolocks.embedded.support.TestEngine;
import org.mongolocks.embedded.support.TestTransaction;

/** Tests of counters and running commands, which a test may wait for. */
class ServerStatusTest {
    private final TestEngine engine = TestEngine.create();

    @Test
    void passesOfTheTtlMonitorAreCounted() {
        engine.run("{createIndexes: 'c', indexes: [{key: {e: 1}, name: 'e', expireAfterSeconds: 0}]}");
        engine.run("{insert: 'c', documents: [{e: {$date: '2026-11-20T12:00:00Z'}}]}");
        assertThat(status("metrics").getDocument("ttl"))
                .isEqualTo(BsonDocument.parse("{deletedDocuments: NumberLong(0), passes: NumberLong(0)}"));

        engine.advance(Duration.ofSeconds(1));
        engine.advance(Duration.ofSeconds(1));

        assertThat(status("metrics").getDocument("ttl"))
                .isEqualTo(BsonDocument.parse("{deletedDocuments: NumberLong(1), passes: NumberLong(2)}"));
    }

    @Test
    void transactionsAreCounted() {
        engine.run("{create: 'c'}");
        new TestTransaction(engine, "A", 1).run("{insert: 'c', documents: [{}]}");
        TestTransaction committed = new TestTransaction(engine, "B", 1);
        committed.run("{insert: 'c', documents: [{}]}");
        committed.commit();
        TestTransaction aborted = new TestTransaction(engine, "C", 1);
        aborted.run("{insert: 'c', documents: [{}]}");
        aborted.abort();

        assertThat(status("transactions"))
                .isEqualTo(BsonDocument.parse("{currentActive: NumberLong(0), currentInactive: NumberLong(1),"
                        + " currentOpen: NumberLong(1), totalStarted: NumberLong(3), totalCommitted: NumberLong(1),"
                        + " totalAborted: NumberLong(1)}"));
    }

    @Test
    void sessionsAreCounted() {
        engine.run("{find: 'c', lsid: 'A'}");
        engine.run("{find: 'c', lsid: 'B'}");

        assertThat(status("logicalSessionRecordCache")
                        .getInt32("activeSessionsCount")
                        .getValue())
                .isEqualTo(2);
    }

    @Test
    void currentOpListsWaitingCommands() {
        engine.run("{insert: 'c', documents: [{_id: 1}]}");
        new TestTransaction(engine, "A", 1).run("{update: 'c', updates: [{q: {_id: 1}, u: {x: 1}}]}");
        Answer waiting = engine.submitOn("other", "{update: 'c', updates: [{q: {_id: 1}, u: {x: 2}}], comment: 'me'}");
        engine.advance(Duration.ofMillis(2_500));

        List<BsonDocument> found = operations("{currentOp: 1, 'command.comment': 'me'}");

        assertThat(waiting.isPending()).isTrue();
        assertThat(found).hasSize(1);
        assertThat(found.get(0).getString("op").getValue()).isEqualTo("update");
        assertThat(found.get(0).getString("ns").getValue()).isEqualTo("test.c");
        assertThat(found.get(0).get("secs_running")).isEqualTo(new BsonInt64(2));
        assertThat(operations("{currentOp: 1, type: 'idleSession'}"))
                .singleElement()
                .satisfies(
                        idle -> assertThat(idle.getBoolean("active").getValue()).isFalse());
    }

    @Test
    void currentOpListsItself() {
        assertThat(operations("{currentOp: 1, $ownOps: true}"))
                .singleElement()
                .satisfies(own ->
                        assertThat(own.getDocument("command").getFirstKey()).isEqualTo("currentOp"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{insert: 'c', documents: [{_id: 2}]}",
                "{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {x: 1}}}]}",
                "{delete: 'c', deletes: [{q: {_id: 1}, limit: 1}]}",
            })
    void repliesToWritesHaveTheirOpTime(String write) {
        engine.run("{insert: 'c', documents: [{_id: 1}]}");

        BsonDocument reply = engine.run(write);

        assertThat(reply.getDocument("opTime").get("ts")).isEqualTo(reply.get("operationTime"));
        assertThat(reply.get("electionId"))
                .isEqualTo(engine.run("{isMaster: 1}").get("electionId"));
        BsonDocument standalone =
                TestEngine.create(MongoEngine.Builder::standalone).run(write);
        assertThat(standalone.containsKey("opTime") || standalone.containsKey("electionId"))
                .isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{find: 'c', stmtId: 0}",
                "{aggregate: 'c', pipeline: [], cursor: {}, stmtId: 0}",
                "{distinct: 'c', key: 'x', stmtId: 0}",
                "{count: 'c', stmtId: 0}",
                "{create: 'd', stmtId: 0}",
                "{createIndexes: 'e', indexes: [{key: {x: 1}, name: 'x'}], stmtId: 0}",
            })
    void idOfAStatementIsAllowedEverywhere(String command) {
        assertThat(code(engine.run(command))).isZero();
    }

    @Test
    void idOfAStatementIsAllowedAtTheEndOfATransaction() {
        for (String end : List.of("commitTransaction", "abortTransaction")) {
            new TestTransaction(engine, end, 1).run("{find: 'c', stmtId: 0}");

            BsonDocument command = BsonDocument.parse(
                    "{" + end + ": 1, lsid: '" + end + "', txnNumber: NumberLong(1), autocommit: false, stmtId: 1}");
            assertThat(code(engine.submit("main", "admin", command).reply())).isZero();
        }
    }

    private BsonDocument status(String section) {
        return engine.run("{serverStatus: 1}").getDocument(section);
    }

    private List<BsonDocument> operations(String command) {
        return engine.admin(command).getArray("inprog").stream()
                .map(BsonValue::asDocument)
                .toList();
    }
}
