package org.mongolocks.study.sim.driver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.mongolocks.spi.MongoOp.Transaction.Boundary.ABORT;
import static org.mongolocks.spi.MongoOp.Transaction.Boundary.COMMIT;
import static org.mongolocks.spi.MongoOp.Transaction.Boundary.START;
import static org.mongolocks.study.sim.driver.DriverScene.count;
import static org.mongolocks.study.sim.driver.DriverScene.find;
import static org.mongolocks.study.sim.driver.DriverScene.firstLost;
import static org.mongolocks.study.sim.driver.DriverScene.found;
import static org.mongolocks.study.sim.driver.DriverScene.insert;
import static org.mongolocks.study.sim.driver.DriverScene.limited;
import static org.mongolocks.study.sim.driver.DriverScene.plain;
import static org.mongolocks.study.sim.driver.DriverScene.transaction;

import com.mongodb.MongoOperationTimeoutException;
import com.mongodb.MongoSocketReadException;
import com.mongodb.MongoSocketReadTimeoutException;
import com.mongodb.MongoTimeoutException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.UpdateSpec;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.study.sim.config.Environment;
import org.mongolocks.study.sim.net.Network.MessageFate;
import org.mongolocks.study.sim.time.VirtualTime;

/** Tests that each operation has the same outcome as with the real driver. */
class SimulatedDriverTest {
    private static final Environment HEALTHY = Environment.HEALTHY;
    private static final Environment UNREPEATED = HEALTHY.withoutRetries();

    private static Reply.Failed failed(Reply reply) {
        return (Reply.Failed) reply;
    }

    @Test
    void aRepeatedWriteIsExecutedOnceAndAnsweredAsTheFirstTime() {
        DriverScene scene = new DriverScene(HEALTHY, plain(), firstLost(true));

        assertThat(scene.send(count())).isEqualTo(found("{_id: 1, n: NumberLong(1)}"));
        assertThat(scene.sendings("count")).isEqualTo(2);
        assertThat(scene.session.transactionNumber()).isEqualTo(1);
    }

    @Test
    void aWriteThatIsNotRepeatedIsAmbiguousAndMayComeLate() {
        DriverScene scene = new DriverScene(UNREPEATED, limited(), firstLost(true));

        Reply.Failed failure = failed(scene.send(count()));

        assertThat(failure.fault()).isEqualTo(Fault.AMBIGUOUS);
        assertThat(failure.mayExecuteLate()).isTrue();
        assertThat(failure.cause()).isInstanceOf(MongoSocketReadException.class);
        assertThat(scene.send(find())).isEqualTo(found("{_id: 1, n: NumberLong(1)}"));
    }

    @Test
    void withoutATimeLimitAWriteIsRepeatedOnce() {
        DriverScene scene = new DriverScene(HEALTHY, plain(), message -> MessageFate.LOST);

        assertThat(failed(scene.send(count())).cause()).isInstanceOf(MongoSocketReadException.class);
        assertThat(scene.sendings("count")).isEqualTo(2);
    }

    @Test
    void withATimeLimitAWriteIsRepeatedUntilThen() {
        DriverScene scene = new DriverScene(HEALTHY, limited(), message -> MessageFate.LOST);

        Reply.Failed failure = failed(scene.send(count()));

        assertThat(failure.cause()).isInstanceOf(MongoOperationTimeoutException.class);
        assertThat(failure.fault()).isEqualTo(Fault.AMBIGUOUS);
        assertThat(failure.mayExecuteLate()).isFalse();
        assertThat(scene.sendings("count")).isGreaterThan(2);
    }

    @Test
    void missingReplyWithoutATimeLimitIsASocketTimeout() {
        DriverScene scene = new DriverScene(UNREPEATED, plain(), message -> MessageFate.SWALLOWED);

        assertThat(failed(scene.send(count())).cause()).isInstanceOf(MongoSocketReadTimeoutException.class);
    }

    @Test
    void aStaleConnectionLosesItsCommandAndTheNextOneIsNew() {
        DriverScene scene = new DriverScene(HEALTHY, limited(), message -> MessageFate.ARRIVES);
        scene.send(count());
        scene.makeConnectionsStale();

        assertThat(failed(scene.send(count())).cause()).isInstanceOf(MongoOperationTimeoutException.class);
        assertThat(scene.send(count())).isEqualTo(found("{_id: 1, n: NumberLong(2)}"));
    }

    @Test
    void aReadIsRepeatedAlsoWhereWritesAreNot() {
        DriverScene scene = new DriverScene(UNREPEATED, plain(), firstLost(false));

        assertThat(scene.send(find())).isEqualTo(Reply.Found.none());
        assertThat(scene.sendings("find")).isEqualTo(2);
    }

    @Test
    void aLateDuplicateOfARepeatedWriteChangesNothing() {
        DriverScene scene = new DriverScene(
                HEALTHY,
                plain(),
                message -> message.label().equals("count") && !message.isReply() && message.sending() == 1
                        ? MessageFate.late(Duration.ofSeconds(1))
                        : MessageFate.ARRIVES);

        assertThat(scene.send(count())).isEqualTo(found("{_id: 1, n: NumberLong(1)}"));
        assertThat(scene.send(find())).isEqualTo(found("{_id: 1, n: NumberLong(1)}"));
    }

    @Test
    void aLateWriteThatIsNotNumberedIsExecutedLate() {
        DriverScene scene = new DriverScene(
                UNREPEATED,
                plain(),
                message -> message.label().equals("insert") && !message.isReply()
                        ? MessageFate.late(Duration.ofSeconds(12))
                        : MessageFate.ARRIVES);

        assertThat(failed(scene.send(insert(1))).fault()).isEqualTo(Fault.AMBIGUOUS);
        assertThat(scene.send(find())).isEqualTo(Reply.Found.none());
        scene.pass(Duration.ofSeconds(5));

        assertThat(scene.send(find())).isEqualTo(found("{_id: 1}"));
    }

    @Test
    void exhaustedPoolSendsNothing() {
        DriverScene scene = new DriverScene(HEALTHY.connections(0), limited(), message -> MessageFate.ARRIVES);

        Reply.Failed failure = failed(scene.send(count()));

        assertThat(failure.cause()).isExactlyInstanceOf(MongoTimeoutException.class);
        assertThat(failure.fault()).isEqualTo(Fault.NOT_SENT);
        assertThat(scene.sendings("count")).isZero();
    }

    @Test
    void aTransactionIsCommittedAsAWhole() {
        DriverScene scene = new DriverScene(HEALTHY, limited(), message -> MessageFate.ARRIVES);

        scene.send(transaction(START));
        scene.send(insert(1));
        assertThat(scene.send(transaction(COMMIT))).isEqualTo(new Reply.Acknowledged());

        assertThat(scene.send(find())).isEqualTo(found("{_id: 1}"));
    }

    @Test
    void aTransactionThatWasAbortedHasChangedNothing() {
        DriverScene scene = new DriverScene(HEALTHY, limited(), message -> MessageFate.ARRIVES);

        scene.send(transaction(START));
        scene.send(insert(1));
        scene.send(transaction(ABORT));

        assertThat(scene.send(find())).isEqualTo(Reply.Found.none());
    }

    @Test
    void aStatementOfATransactionIsNotRepeatedAndItsLossPasses() {
        DriverScene scene = new DriverScene(HEALTHY, plain(), firstLost(true));

        scene.send(transaction(START));

        assertThat(failed(scene.send(insert(1))).fault()).isEqualTo(Fault.TRANSIENT);
        assertThat(scene.sendings("insert")).isEqualTo(1);
    }

    /** The server ignores an abort of an unknown transaction, and aborts the transaction by itself after a minute. */
    @Test
    void aFirstStatementThatComesAfterItsAbortLeavesATransactionOpen() {
        DriverScene scene = new DriverScene(
                HEALTHY,
                plain(),
                message -> message.label().equals("insert") && !message.isReply()
                        ? MessageFate.late(Duration.ofSeconds(7))
                        : MessageFate.ARRIVES);
        scene.send(transaction(START));
        scene.send(insert(1));
        scene.send(transaction(ABORT));
        scene.pass(Duration.ofSeconds(3));

        Reply blocked = scene.inAnotherSession(count());
        scene.pass(Duration.ofSeconds(60));
        Reply free = scene.inAnotherSession(count());

        assertThat(blocked).isInstanceOf(Reply.Failed.class);
        assertThat(free).isInstanceOf(Reply.Found.class);
    }

    @Test
    void aCommitIsRepeatedAlsoWhereWritesAreNot() {
        DriverScene scene = new DriverScene(
                UNREPEATED,
                plain(),
                message -> message.label().equals("COMMIT") && message.isReply() && message.sending() == 1
                        ? MessageFate.LOST
                        : MessageFate.ARRIVES);

        scene.send(transaction(START));
        scene.send(insert(1));

        assertThat(scene.send(transaction(COMMIT))).isEqualTo(new Reply.Acknowledged());
        assertThat(scene.sendings("COMMIT")).isEqualTo(2);
    }

    @Test
    void aCommitThatIsNeverAnsweredIsUnknown() {
        DriverScene scene = new DriverScene(
                HEALTHY,
                plain(),
                message ->
                        message.label().equals("COMMIT") && message.isReply() ? MessageFate.LOST : MessageFate.ARRIVES);

        scene.send(transaction(START));
        scene.send(insert(1));

        assertThat(failed(scene.send(transaction(COMMIT))).fault()).isEqualTo(Fault.UNKNOWN_COMMIT);
    }

    @Test
    void theSameKeyTwiceIsADuplicate() {
        DriverScene scene = new DriverScene(HEALTHY, plain(), message -> MessageFate.ARRIVES);
        scene.send(insert(1));

        assertThat(failed(scene.send(insert(1))).fault()).isEqualTo(Fault.DUPLICATE_KEY);
    }

    @Test
    void majorityWriteSurvivesAFailover() {
        Environment replicated = HEALTHY.replicationLag(Duration.ofMillis(20));
        DriverScene scene = new DriverScene(replicated, limited(), message -> MessageFate.ARRIVES);
        scene.world().server().haltReplication();

        List<Reply> replies = scene.begin(insert(1));
        scene.pass(Duration.ofMillis(500));
        assertThat(replies).isEmpty();
        scene.world().server().failOver(Duration.ofMillis(100), Duration.ZERO);
        scene.pass(Duration.ofSeconds(1));

        assertThat(replies).containsExactly(new Reply.Acknowledged());
        assertThat(scene.send(find())).isEqualTo(found("{_id: 1}"));
    }

    @Test
    void writeWithoutMajorityIsAcknowledgedAndLostByAFailover() {
        Environment replicated = HEALTHY.replicationLag(Duration.ofMillis(20));
        DriverScene scene = new DriverScene(replicated, plain(), message -> MessageFate.ARRIVES);
        scene.world().server().haltReplication();

        assertThat(scene.send(insert(1))).isEqualTo(new Reply.Acknowledged());
        scene.world().server().failOver(Duration.ofMillis(100), Duration.ZERO);
        scene.pass(Duration.ofSeconds(1));

        assertThat(scene.send(find())).isEqualTo(Reply.Found.none());
    }

    @Test
    void clientOfAnIsolatedPrimaryGetsNoMajority() {
        Environment replicated = HEALTHY.replicationLag(Duration.ofMillis(20));
        DriverScene scene = new DriverScene(replicated, limited(), message -> MessageFate.ARRIVES);
        scene.world().server().divide(Set.of(1), Duration.ofMillis(100));

        Reply.Failed failure = failed(scene.send(insert(1)));
        scene.world().server().unite();

        assertThat(failure.fault()).isEqualTo(Fault.AMBIGUOUS);
        assertThat(scene.send(find())).isEqualTo(Reply.Found.none());
    }

    private static MongoOp take() {
        return new MongoOp.FindOneAndUpdate(
                "take",
                "c",
                BsonDocument.parse("{_id: 1}"),
                UpdateSpec.operators(BsonDocument.parse("{$set: {taken: true}}")),
                false);
    }

    private static DriverScene firstTakeIsLate() {
        return new DriverScene(
                HEALTHY,
                limited(),
                message -> message.label().equals("take") && !message.isReply() && message.sending() == 1
                        ? MessageFate.late(Duration.ofSeconds(20))
                        : MessageFate.ARRIVES);
    }

    /** A write that changed nothing is not recorded. */
    @Test
    void aLateDuplicateOfAWriteThatFoundNothingIsExecuted() {
        DriverScene scene = firstTakeIsLate();

        assertThat(scene.send(take())).isEqualTo(Reply.Found.none());
        scene.inAnotherSession(insert(1));
        scene.pass(Duration.ofSeconds(20));

        assertThat(scene.send(find())).isEqualTo(found("{_id: 1, taken: true}"));
    }

    @Test
    void aNewerNumberRefusesALateDuplicate() {
        DriverScene scene = firstTakeIsLate();

        scene.send(take());
        scene.send(insert(1));
        scene.pass(Duration.ofSeconds(20));

        assertThat(scene.send(find())).isEqualTo(found("{_id: 1}"));
    }

    /** A primary knows only the numbers of writes that changed something and were replicated to it. */
    @Test
    void numberOfAWriteWithoutAChangeIsDroppedAtAnElection() {
        DriverScene scene = firstTakeIsLate();

        scene.send(take());
        scene.send(new MongoOp.DeleteOne("nothing", "c", BsonDocument.parse("{_id: 7}")));
        scene.inAnotherSession(insert(1));
        scene.world().server().failOver(Duration.ofMillis(100), Duration.ZERO);
        scene.pass(Duration.ofSeconds(20));

        assertThat(scene.send(find())).isEqualTo(found("{_id: 1, taken: true}"));
    }

    @Test
    void routerSetsTheTimeOfAnExpression() {
        Duration hour = Duration.ofHours(1);
        DriverScene scene = new DriverScene(HEALTHY.routers(List.of(hour)), limited(), message -> MessageFate.ARRIVES);

        assertThat(timeOf(scene.send(now()))).isBetween(hour, hour.plusSeconds(1));
    }

    @Test
    void theNextPrimaryHasAClockOfItsOwn() {
        DriverScene scene = new DriverScene(HEALTHY, limited(), message -> MessageFate.ARRIVES);

        scene.world().server().failOver(Duration.ZERO, Duration.ofMinutes(-3));

        assertThat(timeOf(scene.send(now()))).isBetween(Duration.ofMinutes(-3), Duration.ofSeconds(-179));
    }

    private static MongoOp now() {
        UpdateSpec change = new UpdateSpec.Pipeline(List.of(BsonDocument.parse("{$set: {now: '$$NOW'}}")));
        return new MongoOp.FindOneAndUpdate("now", "c", BsonDocument.parse("{_id: 1}"), change, true);
    }

    private static Duration timeOf(Reply reply) {
        BsonDocument document = ((Reply.Found) reply).document().orElseThrow();
        return Duration.between(
                VirtualTime.EPOCH,
                Instant.ofEpochMilli(document.getDateTime("now").getValue()));
    }
}
