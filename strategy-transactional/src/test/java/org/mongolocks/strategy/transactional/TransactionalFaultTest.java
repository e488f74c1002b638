package org.mongolocks.strategy.transactional;

import static org.mongolocks.protocol.LockDocumentFixtures.TOKEN;
import static org.mongolocks.protocol.ProtocolFixture.ME;
import static org.mongolocks.protocol.ProtocolFixture.NAME;
import static org.mongolocks.protocol.ProtocolFixture.OTHER;
import static org.mongolocks.protocol.ProtocolFixture.acquired;
import static org.mongolocks.protocol.ProtocolFixture.firstAttempt;
import static org.mongolocks.protocol.Replies.acknowledged;
import static org.mongolocks.protocol.Replies.failed;
import static org.mongolocks.protocol.Replies.found;
import static org.mongolocks.protocol.Replies.foundWithTime;
import static org.mongolocks.protocol.Replies.none;
import static org.mongolocks.spi.Reply.Fault.DUPLICATE_KEY;
import static org.mongolocks.spi.Reply.Fault.UNKNOWN_COMMIT;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockSnapshot;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.LockStrategy.LockOutcome;
import org.mongolocks.spi.Reply;
import org.mongolocks.spi.Reply.Fault;

class TransactionalFaultTest {
    private static final Reply COUNTED = found(BsonDocument.parse("{_id: '$job', n: NumberLong(8)}"));

    private final LockDocumentFixtures stored = new LockDocumentFixtures("transactional/3", "rev");
    private final ProtocolScript<LockOutcome> attempt =
            ProtocolScript.of(new TransactionalStrategy().acquire(firstAttempt()));
    private final ProtocolScript<LockOutcome> counting = attempt.receives(acknowledged());
    private final ProtocolScript<LockOutcome> taking = counting.receives(COUNTED);
    private final ProtocolScript<LockOutcome> committing = taking.receives(found(stored.heldBy(ME)));

    @ParameterizedTest
    @EnumSource
    void transactionThatDoesNotStartIsNotAborted(Fault fault) {
        Reply.Failed failure = failed(fault);

        attempt.receives(failure).failsWith(failure);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DUPLICATE_KEY")
    void faultInTheTransactionAbortsAndEndsTheAttempt(Fault fault) {
        Reply.Failed failure = failed(fault);

        counting.receives(failure)
                .sends("transactional/abort")
                .receives(acknowledged())
                .failsWith(failure);
        taking.receives(failure)
                .sends("transactional/abort")
                .receives(acknowledged())
                .failsWith(failure);
    }

    @Test
    void duplicateKeyAbortsAndReadsTheHolder() {
        ProtocolScript<LockOutcome> aborted = taking.receives(failed(DUPLICATE_KEY))
                .sends("transactional/abort")
                .receives(acknowledged())
                .sends("transactional/read-count")
                .receives(none())
                .sends("transactional/read-holder");
        LockSnapshot winner = stored.readWithTime(stored.heldBy(OTHER));
        Reply.Failed lost = failed(Fault.AMBIGUOUS);

        aborted.receives(foundWithTime(stored.heldBy(OTHER))).endsWith(new LockOutcome.Contended(winner));
        aborted.receives(none()).endsWith(new LockOutcome.Contended(LockSnapshot.unused(NAME)));
        aborted.receives(lost).failsWith(lost);
    }

    @Test
    void failedAbortChangesNothing() {
        Reply.Failed conflict = failed(Fault.WRITE_CONFLICT);

        counting.receives(conflict).receives(failed(Fault.TRANSIENT)).failsWith(conflict);
    }

    @Test
    void unknownCommitIsRepeatedThreeTimes() {
        ProtocolScript<LockOutcome> fourth = committing
                .receives(failed(UNKNOWN_COMMIT))
                .sends("transactional/commit")
                .receives(failed(UNKNOWN_COMMIT))
                .sends("transactional/commit")
                .receives(failed(UNKNOWN_COMMIT))
                .sends("transactional/commit");
        Reply.Failed stillUnknown = failed(UNKNOWN_COMMIT);

        fourth.receives(acknowledged()).endsWith(acquired(TOKEN));
        fourth.receives(stillUnknown).failsWith(stillUnknown);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN_COMMIT")
    void failedCommitIsNotAborted(Fault fault) {
        Reply.Failed failure = failed(fault);

        committing.receives(failure).failsWith(failure);
        committing.receives(failed(UNKNOWN_COMMIT)).receives(failure).failsWith(failure);
    }
}
