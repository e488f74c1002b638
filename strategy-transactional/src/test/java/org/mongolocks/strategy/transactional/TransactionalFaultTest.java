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
import static org.mongolocks.protocol.Replies.none;
import static org.mongolocks.protocol.Replies.seen;
import static org.mongolocks.spi.Fault.DUPLICATE_KEY;
import static org.mongolocks.spi.Fault.UNKNOWN_COMMIT;

import org.bson.BsonDocument;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.mongolocks.LockOutcome;
import org.mongolocks.LockSnapshot;
import org.mongolocks.protocol.LockDocumentFixtures;
import org.mongolocks.protocol.ProtocolScript;
import org.mongolocks.spi.Fault;
import org.mongolocks.spi.Reply;

class TransactionalFaultTest {
    private static final Reply COUNTED = found(BsonDocument.parse("{_id: '$job', n: NumberLong(8)}"));

    private final LockDocumentFixtures stored = new LockDocumentFixtures("transactional/1", "rev");
    private final ProtocolScript<LockOutcome> attempt =
            ProtocolScript.of(new TransactionalStrategy().acquire(firstAttempt()));
    private final ProtocolScript<LockOutcome> counting = attempt.gets(acknowledged());
    private final ProtocolScript<LockOutcome> taking = counting.gets(COUNTED);
    private final ProtocolScript<LockOutcome> committing = taking.gets(found(stored.heldBy(ME)));

    @ParameterizedTest
    @EnumSource
    void aTransactionThatDoesNotStartIsNotAborted(Fault fault) {
        Reply.Failed failure = failed(fault);

        attempt.gets(failure).failsWith(failure);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "DUPLICATE_KEY")
    void aFaultInsideIsAbortedAndEndsTheAttempt(Fault fault) {
        Reply.Failed failure = failed(fault);

        counting.gets(failure).asks("transactional/abort").gets(acknowledged()).failsWith(failure);
        taking.gets(failure).asks("transactional/abort").gets(acknowledged()).failsWith(failure);
    }

    @Test
    void aDuplicateKeyInsideIsAbortedAndTheWinnerLookedAt() {
        ProtocolScript<LockOutcome> aborted = taking.gets(failed(DUPLICATE_KEY))
                .asks("transactional/abort")
                .gets(acknowledged())
                .asks("transactional/look-at-winner");
        LockSnapshot winner = stored.lookedAt(stored.heldBy(OTHER));
        Reply.Failed lost = failed(Fault.AMBIGUOUS);

        aborted.gets(seen(stored.heldBy(OTHER))).endsWith(new LockOutcome.Contended(winner));
        aborted.gets(none()).endsWith(new LockOutcome.Contended(LockSnapshot.unused(NAME)));
        aborted.gets(lost).failsWith(lost);
    }

    @Test
    void anAbortThatFailsChangesNothing() {
        Reply.Failed conflict = failed(Fault.WRITE_CONFLICT);

        counting.gets(conflict).gets(failed(Fault.TRANSIENT)).failsWith(conflict);
    }

    @Test
    void aCommitInDoubtIsRepeatedThreeTimes() {
        ProtocolScript<LockOutcome> fourth = committing
                .gets(failed(UNKNOWN_COMMIT))
                .asks("transactional/commit")
                .gets(failed(UNKNOWN_COMMIT))
                .asks("transactional/commit")
                .gets(failed(UNKNOWN_COMMIT))
                .asks("transactional/commit");
        Reply.Failed stillInDoubt = failed(UNKNOWN_COMMIT);

        fourth.gets(acknowledged()).endsWith(acquired(TOKEN));
        fourth.gets(stillInDoubt).failsWith(stillInDoubt);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "UNKNOWN_COMMIT")
    void aCommitThatFailsIsNotAborted(Fault fault) {
        Reply.Failed failure = failed(fault);

        committing.gets(failure).failsWith(failure);
        committing.gets(failed(UNKNOWN_COMMIT)).gets(failure).failsWith(failure);
    }
}
