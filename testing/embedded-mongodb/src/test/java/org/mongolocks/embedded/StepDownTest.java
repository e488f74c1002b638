package org.mongolocks.embedded;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.embedded.support.Replies.code;
import static org.mongolocks.embedded.support.Replies.cursor;
import static org.mongolocks.embedded.support.Replies.ids;
import static org.mongolocks.embedded.support.Replies.labels;
import static org.mongolocks.embedded.support.Replies.n;

import de.bwaldvogel.mongo.bson.Document;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.bson.BsonDocument;
import org.bson.BsonInt32;
import org.bson.BsonInt64;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.mongolocks.embedded.support.Answer;
import org.mongolocks.embedded.support.Bson;
import org.mongolocks.embedded.support.TestEngine;
import org.mongolocks.embedded.support.TestTransaction;

/** Tests of a primary that steps down: its replies, interrupted and continued commands. */
class StepDownTest {
    private static final Duration PERIOD = Duration.ofSeconds(60);

    private final TestEngine engine = TestEngine.create();
    private long before;

    @BeforeEach
    void aDocument() {
        engine.run("{insert: 'c', documents: [{_id: 1, x: 0}]}");
        before = counter(engine.run("{isMaster: 1}"));
    }

    @Test
    void waitingClientsReceiveEachState() {
        Listener listener = new Listener();
        listener.ask(engine.run("{isMaster: 1}").getDocument("topologyVersion"));

        stepDown();
        engine.advance(PERIOD);

        assertThat(listener.told)
                .containsExactly(
                        "primary false, secondary false, counter " + (before + 1),
                        "primary false, secondary true, counter " + (before + 2),
                        "primary true, secondary false, counter " + (before + 3));
    }

    @Test
    void nonPrimaryReportsNoPrimary() {
        stepDown();

        BsonDocument reply = engine.run("{isMaster: 1}");
        assertThat(reply.containsKey("primary")).isFalse();
        assertThat(reply.containsKey("electionId")).isFalse();
        assertThat(reply.getString("setName").getValue()).isEqualTo("rs0");
    }

    @Test
    void writesAreRefusedUntilItIsPrimaryAgain() {
        stepDown();

        BsonDocument refused = engine.run(insert(2));
        assertThat(code(refused)).isEqualTo(10_107);
        assertThat(labels(refused)).containsExactly("RetryableWriteError");
        assertThat(counter(refused)).isEqualTo(before + 2);

        engine.advance(PERIOD.minusMillis(1));
        assertThat(code(engine.run(insert(2)))).isEqualTo(10_107);
        engine.advance(Duration.ofMillis(1));
        assertThat(n(engine.run(insert(2)))).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{find: 'c'} | 13435",
                "{find: 'c', $readPreference: {mode: 'primary'}} | 13435",
                "{find: 'c', $readPreference: {mode: 'primaryPreferred'}} | 0",
                "{count: 'c'} | 13435",
                "{count: 'c', $readPreference: {mode: 'secondary'}} | 0",
                "{aggregate: 'c', pipeline: [], cursor: {}} | 13435",
                "{listCollections: 1} | 13435",
                "{listIndexes: 'c'} | 13435",
                "{create: 'd'} | 10107",
                "{drop: 'c'} | 10107",
                "{ping: 1} | 0",
                "{serverStatus: 1} | 0",
                "{endSessions: []} | 0",
            })
    void commandsOnASecondary(String command, int code) {
        stepDown();

        assertThat(code(engine.run(command))).isEqualTo(code);
    }

    @Test
    void runningReadsContinueAfterAStepDown() {
        engine.run("{insert: 'c', documents: [{_id: 2}, {_id: 3}]}");
        BsonDocument first = engine.run("{find: 'c', batchSize: 1}");
        BsonDocument stream = engine.run("{aggregate: 'c', pipeline: [{$changeStream: {}}], cursor: {}}");
        Answer event = engine.more(stream, "{maxTimeMS: 100000}");

        stepDown();

        assertThat(ids(engine.more(first).reply())).containsExactly("2", "3");
        assertThat(event.isPending()).isTrue();
        engine.advance(PERIOD);
        engine.run(insert(4));
        assertThat(cursor(event.reply())).isEqualTo(cursor(stream));
    }

    @Test
    void transactionsAreAborted() {
        TestTransaction transaction = new TestTransaction(engine, "A", 1);
        transaction.run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 1}}}]}");

        stepDown();

        BsonDocument refused = transaction.run("{find: 'c'}");
        assertThat(code(refused)).isEqualTo(13_435);
        assertThat(labels(refused)).containsExactly("TransientTransactionError");
        BsonDocument commit = transaction.commit();
        assertThat(code(commit)).isEqualTo(10_107);
        assertThat(labels(commit)).containsExactly("RetryableWriteError");

        engine.advance(PERIOD);
        BsonDocument unknown = transaction.commit();
        assertThat(code(unknown)).isEqualTo(251);
        assertThat(labels(unknown)).containsExactly("TransientTransactionError");
        assertThat(n(engine.run("{count: 'c', query: {x: 1}}"))).isZero();
    }

    @Test
    void writeThatWaitsForATransactionIsInterrupted() {
        new TestTransaction(engine, "A", 1).run("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 1}}}]}");
        Answer waiting = engine.submit("{update: 'c', updates: [{q: {_id: 1}, u: {$set: {x: 2}}}],"
                + " lsid: 'B', txnNumber: {$numberLong: '1'}}");

        stepDown();

        assertThat(code(waiting.reply())).isEqualTo(11_602);
        assertThat(labels(waiting.reply())).containsExactly("RetryableWriteError");
        assertThat(counter(waiting.reply())).isEqualTo(before + 2);
        engine.advance(PERIOD);
        assertThat(n(engine.run("{count: 'c', query: {x: 0}}"))).isEqualTo(1);
    }

    @Test
    void writeThatAFailPointHoldsUpIsRefusedAfterwards() {
        engine.admin("{configureFailPoint: 'failCommand', mode: {times: 1},"
                + " data: {failCommands: ['insert'], blockConnection: true, blockTimeMS: 1000}}");
        Answer blocked = engine.submit(insert(2));

        stepDown();
        engine.advance(Duration.ofSeconds(1));

        assertThat(code(blocked.reply())).isEqualTo(10_107);
    }

    @Test
    void writeThatWasDoneIsNotDoneAgainByTheNextPrimary() {
        String increment = "{update: 'c', updates: [{q: {_id: 1}, u: {$inc: {x: 1}}}],"
                + " lsid: 'A', txnNumber: {$numberLong: '1'}}";
        engine.run(increment);

        stepDown();
        engine.advance(PERIOD);
        engine.run(increment);

        assertThat(n(engine.run("{count: 'c', query: {x: 1}}"))).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{replSetStepDown: 60} | 262",
                "{replSetStepDown: -1, force: true} | 2",
            })
    void refusedCommandChangesNothing(String command, int code) {
        assertThat(code(engine.admin(command))).isEqualTo(code);

        assertThat(counter(engine.run("{isMaster: 1}"))).isEqualTo(before);
    }

    @Test
    void onlyAPrimaryOfAReplicaSetStepsDown() {
        TestEngine standalone = TestEngine.create(MongoEngine.Builder::standalone);

        assertThat(code(standalone.admin("{replSetStepDown: 60, force: true}"))).isEqualTo(76);
        stepDown();
        assertThat(code(engine.admin("{replSetStepDown: 60, force: true}"))).isEqualTo(10_107);
    }

    private void stepDown() {
        assertThat(code(engine.admin("{replSetStepDown: " + PERIOD.toSeconds() + ", force: true}")))
                .isZero();
    }

    private static String insert(int id) {
        return "{insert: 'c', documents: [{_id: %d}], lsid: 'I', txnNumber: {$numberLong: '%d'}}".formatted(id, id);
    }

    private static long counter(BsonDocument reply) {
        return reply.getDocument("topologyVersion").getInt64("counter").getValue();
    }

    /** A client that sends the next request with each received version. */
    private final class Listener implements ReplyHandler {
        private final List<String> told = new ArrayList<>();
        private final MongoConnection connection = engine.engine().connect();

        void ask(BsonDocument known) {
            BsonDocument command = new BsonDocument("isMaster", new BsonInt32(1))
                    .append("topologyVersion", known)
                    .append("maxAwaitTimeMS", new BsonInt64(3_600_000));
            Document sent = Bson.toServer(command);
            sent.put("$db", "admin");
            engine.engine().submit(connection, sent, this);
        }

        @Override
        public void reply(Document document) {
            BsonDocument reply = Bson.toDriver(document);
            told.add("primary %s, secondary %s, counter %d"
                    .formatted(
                            reply.getBoolean("ismaster").getValue(),
                            reply.getBoolean("secondary").getValue(),
                            counter(reply)));
            ask(reply.getDocument("topologyVersion"));
        }

        @Override
        public void connectionClosed() {
            throw new AssertionError("no connection is closed by a step-down");
        }
    }
}
