package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.MongoOperationTimeoutException;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.mongolocks.ClientClosedException;
import org.mongolocks.internal.FakeStrategy;
import org.mongolocks.internal.run.ClientRuns.ConnectionShortage;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.MongoOp.Transaction;
import org.mongolocks.spi.MongoOp.Transaction.Boundary;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;
import org.mongolocks.spi.lease.LeaseDocument;

class ClientRunsTest {
    private final MongoException timedOut = new MongoOperationTimeoutException("no answer");
    private static final MongoOp WRITE = new MongoOp.DeleteOne(
            "w", "locks", LeaseDocument.withFormat("test/1").ownerFilter(Lab.NAME, Lab.OWNER, OptionalLong.empty()));
    private static final MongoOp READ = new MongoOp.FindOne("r", "locks", new BsonDocument(), Optional.empty());

    private final ClientRuns runs =
            new ClientRuns(new Lab().settings(new FakeStrategy()), new ConnectionShortage(() -> 0));
    private long number;

    @Test
    void aNumberedWriteIsAmbiguousButCannotComeLate() {
        ClientRuns.Command sending = begin(WRITE, false);
        number++;

        assertThat(sending.failed(timedOut)).isEqualTo(new Reply.Failed(Fault.AMBIGUOUS, timedOut, false));
    }

    @Test
    void aWriteOfAClientThatNumbersNoneMayComeLate() {
        begin(WRITE, false).answered(new Reply.Acknowledged());

        assertThat(begin(WRITE, false).failed(timedOut)).isEqualTo(new Reply.Failed(Fault.AMBIGUOUS, timedOut, true));
    }

    @Test
    void aWriteWithoutItsNumberNeverLeft() {
        ClientRuns.Command first = begin(WRITE, false);
        number++;
        first.answered(new Reply.Acknowledged());

        assertThat(begin(WRITE, false).failed(timedOut)).isEqualTo(new Reply.Failed(Fault.NOT_SENT, timedOut));
    }

    @Test
    void numberOfATransactionDoesNotApplyToPlainWrites() {
        ClientRuns.Command statement = begin(WRITE, true);
        number++;
        statement.answered(new Reply.Acknowledged());

        assertThat(begin(WRITE, false).failed(timedOut).mayExecuteLate()).isTrue();
    }

    @Test
    void aStatementOfATransactionCannotComeLate() {
        assertThat(begin(WRITE, true).failed(timedOut)).isEqualTo(new Reply.Failed(Fault.AMBIGUOUS, timedOut));
    }

    @Test
    void aReadChangesNothing() {
        assertThat(begin(READ, false).failed(timedOut)).isEqualTo(new Reply.Failed(Fault.TRANSIENT, timedOut));
    }

    @Test
    void aCommandThatAClosedDriverRefusesWasNotSentUnlessItWasNumbered() {
        IllegalStateException refusal = new IllegalStateException("state should be: open");
        ClientRuns.Command refused = begin(WRITE, false);
        ClientRuns.Command repeated = begin(WRITE, false);

        assertThat(refused.refused(refusal).fault()).isEqualTo(Fault.REJECTED);
        assertThat(begin(READ, false).refused(refusal).fault()).isEqualTo(Fault.REJECTED);
        number++;
        assertThat(repeated.refused(refusal).fault()).isEqualTo(Fault.AMBIGUOUS);
        assertThat(LockTask.withoutLock("A program").exception(repeated.refused(refusal)))
                .isInstanceOf(ClientClosedException.class)
                .hasCause(refusal);
    }

    @Test
    @Tag("finds:driver-replaced-remembered")
    void aCommandOfAClientThatWasReplacedMayBeExecutedLateIfItWasSent() {
        IllegalStateException refusal = new IllegalStateException("state should be: open");
        ClientRuns.Command sent = begin(WRITE, false);
        number++;
        Reply.Failed late = sent.replaced(refusal);
        ClientRuns.Command unsent = begin(WRITE, false);

        assertThat(late.fault()).isEqualTo(Fault.AMBIGUOUS);
        assertThat(late.mayExecuteLate()).isTrue();
        assertThat(unsent.replaced(refusal).fault()).isEqualTo(Fault.NOT_SENT);
        assertThat(begin(READ, false).replaced(refusal).fault()).isEqualTo(Fault.TRANSIENT);
        assertThat(begin(WRITE, true).replaced(refusal).fault()).isEqualTo(Fault.TRANSIENT);
        assertThat(begin(new Transaction("t", Boundary.COMMIT), true)
                        .replaced(refusal)
                        .fault())
                .isEqualTo(Fault.UNKNOWN_COMMIT);
        runs.driverReplaced();
        assertThat(begin(WRITE, false).replaced(refusal).mayExecuteLate()).isTrue();
    }

    /** A released buffer of the driver, for example, which a write on a broken connection meets. */
    @Test
    void aCommandDuringWhichTheDriverFailsMayBeExecuted() {
        ClientRuns.Command sent = begin(WRITE, false);
        number++;

        assertThat(sent.broken(new NullPointerException("for a test")).fault()).isEqualTo(Fault.AMBIGUOUS);
    }

    /** The new client's writes may have no numbers, as on a standalone: then nothing shows that one was not sent. */
    @Test
    @Tag("finds:driver-replaced-remembered")
    void numbersOfAFormerClientAreForgotten() {
        ClientRuns.Command numbered = begin(WRITE, false);
        number++;
        numbered.answered(new Reply.Counted(1, false));
        assertThat(begin(WRITE, false).failed(timedOut).fault()).isEqualTo(Fault.NOT_SENT);

        runs.driverReplaced();

        assertThat(begin(WRITE, false).failed(timedOut)).isEqualTo(new Reply.Failed(Fault.AMBIGUOUS, timedOut, true));
    }

    private ClientRuns.Command begin(MongoOp op, boolean inTransaction) {
        return runs.begin(op, () -> number, inTransaction, runs.nanoTime());
    }
}
