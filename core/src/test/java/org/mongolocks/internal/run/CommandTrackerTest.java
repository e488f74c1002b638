package org.mongolocks.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import com.mongodb.MongoException;
import com.mongodb.MongoOperationTimeoutException;
import java.util.Optional;
import java.util.OptionalLong;
import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.mongolocks.internal.wait.Lab;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.MongoOp;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.lease.LeaseDocument;

class CommandTrackerTest {
    private final MongoException timedOut = new MongoOperationTimeoutException("no answer");
    private static final MongoOp WRITE = new MongoOp.DeleteOne(
            "w", "locks", LeaseDocument.withFormat("test/1").heldBy(Lab.NAME, Lab.OWNER, OptionalLong.empty()));
    private static final MongoOp READ = new MongoOp.FindOne("r", "locks", new BsonDocument(), Optional.empty());

    private final CommandTracker tracker = CommandTracker.ofPrograms(new ConnectionShortage(() -> 0));
    private long number;

    @Test
    void aNumberedWriteIsAmbiguousButCannotComeLate() {
        CommandTracker.Command sending = begin(WRITE, false);
        number++;

        assertThat(sending.failed(timedOut)).isEqualTo(new Reply.Failed(Fault.AMBIGUOUS, timedOut, false));
    }

    @Test
    void aWriteOfAClientThatNumbersNoneMayComeLate() {
        begin(WRITE, false).answered(new Reply.Acknowledged(), null);

        assertThat(begin(WRITE, false).failed(timedOut)).isEqualTo(new Reply.Failed(Fault.AMBIGUOUS, timedOut, true));
    }

    @Test
    void aWriteWithoutItsNumberNeverLeft() {
        CommandTracker.Command first = begin(WRITE, false);
        number++;
        first.answered(new Reply.Acknowledged(), null);

        assertThat(begin(WRITE, false).failed(timedOut)).isEqualTo(new Reply.Failed(Fault.NOT_SENT, timedOut));
    }

    @Test
    void theNumberOfATransactionTellsNothingAboutPlainWrites() {
        CommandTracker.Command statement = begin(WRITE, true);
        number++;
        statement.answered(new Reply.Acknowledged(), null);

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

    private CommandTracker.Command begin(MongoOp op, boolean inTransaction) {
        return tracker.begin(op, () -> number, inTransaction);
    }
}
